"""Words in column names that hint at a role, and names of models taken out of column names."""

from __future__ import annotations

import re

from core.document.data.events import OPPOSITES, fold

MEDICAL_EVENTS = (
    "décès",
    "deces",
    "ereignis",
    "événement",
    "evenement",
    "tod",
    "décédé",
    "décédée",
    "vital_status",
    "relapse",
    "rezidiv",
    "récidive",
)

TARGET_NAMES = (
    "target",
    "y",
    "outcome",
    "response",
    "responded",
    "respond",
    "bad",
    "default",
    "defaulted",
    "class",
    "label",
    "y_true",
    "ytrue",
    "actual",
    "truth",
    "observed",
    "obs",
    "event",
    "churn",
    "churned",
    "converted",
    "conversion",
    "fraud",
    "is_fraud",
    "good_bad",
    "target_b",
    "target_flag",
    "bought",
    "purchase",
    "purchased",
    "clicked",
    "click",
    "survived",
    "result",
    "flag_bad",
    "visit",
    "dependent",
    "buyer",
    "donated",
    "gave",
    "risk",
    "default_flag",
    "died",
    "death",
    "dead",
    "status",
    "charged_off",
    "churn_flag",
    "claim",
    "claims",
    "n_claims",
    "claim_count",
    "number_of_claims",
    "ausfall",
    "ausgefallen",
    "ergebnis",
    "zielvariable",
    "zielgröße",
    "kündigung",
    "gekündigt",
    "gekauft",
    "kauf",
    "storno",
    "betrug",
    "schaden",
    "schäden",
    "reaktion",
    "antwort",
    "gestorben",
    "verstorben",
    "défaut",
    "defaut",
    "résultat",
    "resultat",
    "cible",
    "réponse",
    "reponse",
    "achat",
    "résilié",
    "résiliation",
    "fraude",
    "sinistre",
    "sinistres",
    *MEDICAL_EVENTS,
    "schadenanzahl",
    "schadenzahl",
    "anzahl_schäden",
    "nombre_de_sinistres",
    "nb_sinistres",
    "diagnosis",
    "diagnose",
    "diagnostic",
    "statut",
    "responder",
    "lapse",
    "lapsed",
    "attrition",
    "exited",
    "cancelled",
    "subscribed",
    "readmitted",
    "claim_nb",
    "claimnb",
    "num_claims",
    "nclaims",
    "claims_count",
    "nombre_sinistres",
    "anzahl_schaden",
    "aantal_schades",
    "impago",
    "incumplimiento",
    "moroso",
    "compra",
    "abandono",
    "respuesta",
    "siniestro",
    "siniestros",
    "número_de_siniestros",
    "wanbetaling",
    "wanbetaler",
    "aankoop",
    "opzegging",
    "opgezegd",
    "uitkomst",
    "respons",
    "schade",
    "schades",
    "overleden",
    "insolvenza",
    "insolvente",
    "acquisto",
    "abbandono",
    "risposta",
    "frode",
    "sinistri",
    "impayé",
    "impayés",
    "défaillance",
)
#: Joints of a name that say that a column holds yes or no: "Ausfall J/N", "churn_ind".
_ANSWERS = (
    "j/n",
    "ja/nein",
    "y/n",
    "yes/no",
    "o/n",
    "oui/non",
    "s/n",
    "sí/no",
    "si/no",
    "sì/no",
    "ja/nee",
    "0/1",
    "1/0",
    "flag",
    "flg",
    "ind",
    "indicator",
    "indikator",
    "indicateur",
    "kz",
    "kennzeichen",
)
#: Two levels that say a result, whatever the column is called.
HAPPENED = (
    "failed",
    "failure",
    "cancelled",
    "canceled",
    "lapsed",
    "returned",
    "readmit",
    "readmitted",
    "readmission",
    "relapsed",
    "renewed",
    "subscribed",
    "unsubscribed",
    "redeemed",
    "donated",
    "breakdown",
    "died",
    "death",
    "deceased",
    "mortality",
    "delinquent",
    "delinquency",
    "ordered",
    "escalated",
    "won",
    "lost",
    "voted",
    "repaid",
    "complained",
    "complaint",
    "accepted",
    "sold",
    "stockout",
    "hospitalised",
    "hospitalized",
    "hospitalisation",
    "hospitalization",
    "defekt",
    "storniert",
    "gekündigt",
    "bestellt",
    "eingelöst",
    "angenommen",
    "verkauft",
    "eskaliert",
    "verstorben",
    "gestorben",
    "sterblichkeit",
    "rehospitalisierung",
    "wiederaufnahme",
    "reklamiert",
    "résilié",
    "commandé",
    "accepté",
    "vendu",
    "décédé",
    "décès",
    "réhospitalisation",
    "réadmission",
    "réclamation",
)
"""Words for what happened to a case, in the name of a column of two values."""
UNKNOWN_LEVELS = (
    "k.a.",
    "k. a.",
    "keine angabe",
    "unbekannt",
    "fehlt",
    "fehlend",
    "nicht bekannt",
    "unknown",
    "unk",
    "not known",
    "not evaluated",
    "not available",
    "missing",
    "inconnu",
    "inconnue",
    "non renseigné",
    "n.c.",
    "n.d.",
    "nc",
    "nd",
    "nr",
    "n/a",
    "na",
    "?",
    "-",
    "--",
)
"""Values of an outcome that say that it is not known, in small letters."""
UNKNOWN_CODES = ("8", "9", "88", "98", "99", "999", "-8", "-9", "-88", "-99", "-999")
OUTCOME_PAIRS = frozenset(
    frozenset(pair)
    for pair in (
        ("good", "bad"),
        ("g", "b"),
        ("gut", "schlecht"),
        ("bon", "mauvais"),
        ("default", "non-default"),
        ("default", "no default"),
        ("ausfall", "kein ausfall"),
        ("défaut", "pas de défaut"),
        ("responder", "non-responder"),
        ("churned", "stayed"),
        ("left", "stayed"),
        ("tp", "fp"),
        ("fraud", "legit"),
        ("closed won", "closed lost"),
        ("died", "survived"),
        ("dead", "alive"),
        ("deceased", "living"),
        ("deceased", "alive"),
        ("charged off", "fully paid"),
        ("verstorben", "lebt"),
        ("décédé", "vivant"),
        ("benign", "malignant"),
        ("gutartig", "bösartig"),
    )
)
COUNT_NAMES = (
    "schadenanzahl",
    "schadenzahl",
    "nb",
    "number",
    "claims",
    "n_claims",
    "claim_count",
    "number_of_claims",
    "sinistres",
    "schäden",
    "count",
    "anzahl",
    "nombre",
    "visits",
    "orders",
    "purchases",
)
COUNT_WORDS = ("count", "number", "anzahl", "nombre", "total", "amount")
PROPENSITY_NAMES = ("propensity", "propensity_score", "treatment_chance", "p_treated", "e_x")
TREATMENT_NAMES = (
    "treatment",
    "treated",
    "treat",
    "behandlung",
    "behandelt",
    "gruppe",
    "traitement",
    "traité",
    "arm",
    "group_treatment",
    "is_treated",
    "exposure",
    "exposed",
    "mailed",
    "contacted",
    "offer",
    "promotion",
    "campaign_group",
    "control_group",
    "test_control",
    "trt",
    "intervention",
    "alert",
    "segment_treatment",
    "training",
    "trained",
    "emailed",
    "angeschrieben",
    "angerufen",
    "kontaktiert",
    "beworben",
    "contacté",
    "sollicité",
    "contactado",
)
GROUP_WORDS = re.compile(r"(?:grupp?e?|group|groupe|grupo|arm|voucher|coupon|gutschein\w*|bon)\Z")
"""How a name ends of cases that were treated alike, where one level says that it got nothing."""
BEFORE_WORDS = (
    "before",
    "pre",
    "prior",
    "past",
    "history",
    "previous",
    "previously",
    "last",
    "ever",
    "family",
    "vorher",
    "früher",
    "frühere",
    "letzte",
    "avant",
    "antérieur",
)
"""Of what was so before: no outcome."""
BASELINE_WORDS = ("baseline", "basal", "ausgangswert", "ausgangsscore")
"""Of what was measured when a study began."""
PLACE_NAMES = (
    *("rank", "ranking", "rang", "rango", "decile", "dezil", "décile", "decil", "percentile"),
    *("perzentil", "centile", "percentil", "ventile", "quintile", "quartile", "quintil"),
)
"""Whole names of the place that a case has among the others by a score."""
LETTERED_NAMES = (
    "variant",
    "variation",
    "experiment",
    "bucket",
    "group",
    "ab",
    "variante",
    "groupe",
)
"""Of arms where the values are A, B and so on."""
WEIGHT_NAMES = (
    "weight",
    "weights",
    "w",
    "freq",
    "frequency",
    "gewicht",
    "gewichtung",
    "gew",
    "designgewicht",
    "hochrechnungsfaktor",
    "pondération",
    "peso",
    "poids",
    "_freq_",
    "case_weight",
    "sample_weight",
    "sampling_weight",
    "wt",
    "wgt",
    "count_weight",
    "frequency_weight",
)
PERSON_WORDS = (
    "patient",
    "patientid",
    "patientnr",
    "patienten",
    "kunde",
    "kunden",
    "customer",
    "client",
    "subject",
    "member",
    "person",
    "household",
    "versicherter",
    "assuré",
    "mrn",
)
"""Of whom there may be several rows, which belong together."""
ID_NAMES = (
    "id",
    "key",
    "customer",
    "account",
    "case",
    "caseid",
    "rowid",
    "row_name",
    "uuid",
    "guid",
    "custid",
    "customerid",
    "customer_number",
    "kunde",
    "kundennummer",
    "kunden_nr",
    "kundennr",
    "vertrag",
    "vertragsnummer",
    "konto",
    "kontonummer",
    "fall",
    "fallnummer",
    "policy",
    "policy_number",
    "loan",
    "identifiant",
    "dossier",
    "contrat",
    "compte",
    "numéro",
    "account_number",
    "mrn",
    "police",
    "matricule",
    "fallnr",
    "klant",
    "klantnummer",
    "cliente",
    "contrato",
    "contratto",
    "paciente",
    "dossiernummer",
    "client",
    "subject",
    "patient",
    "row",
    "index",
    "unnamed",
)
TEST_FLAGS = (
    "is_test",
    "test_flag",
    "in_test",
    "test_set",
    "testset",
    "is_oot",
    "oot",
    "oot_flag",
    "out_of_time",
    "out_of_sample",
    "testdaten",
)
TRAIN_FLAGS = (
    "is_train",
    "is_training",
    "train_flag",
    "in_train",
    "train_set",
    "trainset",
    "training",
    "train",
    "in_sample",
    "insample",
    "is_dev",
    "dev_flag",
    "trainingsdaten",
)
VALIDATION_FLAGS = (
    "is_validation",
    "validation_flag",
    "is_val",
    "val_flag",
    "validation",
    "validierung",
)
"""Names of columns whose yes says what a row is for."""
MODEL_COLUMNS = ("model", "modell", "modèle", "modelo", "algorithm", "classifier", "model_name")
"""Names of columns that say in each row which model its score is of."""
GROUP_COUNTS = ("count", "n", "cases", "anzahl", "häufigkeit", "haeufigkeit", "effectif", "nombre")
"""Names of the number of cases that a row stands for."""
FOLD_NAMES = ("fold", "folds", "cv_fold", "kfold", "k_fold", "fold_id", "cv", "fold_nr", "fold_no")
USE_NAMES = (
    "stichprobe",
    "datensatz",
    "échantillon",
    "echantillon",
    "muestra",
    "use",
    "row_use",
    "split",
    "partition",
    "part",
    "set",
    "sample",
    "dataset",
    "data_role",
    "_role_",
    "role",
    "subset",
    "usage",
    "_partind_",
    "partind",
    "train_test",
    "fold_use",
    "dataset_type",
)
RATIO_WORDS = (
    "rate",
    "interest",
    "apr",
    "ratio",
    "ltv",
    "dti",
    "discount",
    "margin",
    "tax",
    "fee",
    "share",
    "utilisation",
    "utilization",
    "zins",
    "zinssatz",
    "rabatt",
    "anteil",
    "quote",
)
"""Of numbers from 0 to 1 that are measured, not foretold."""
COST_WORDS = (
    "cost",
    "costs",
    "expense",
    "expenses",
    "fee",
    "price",
    "postage",
    "spend",
    "spending",
    "amount",
    "revenue",
    "profit",
    "margin",
    "sales",
    "value",
    "income",
    "balance",
    "exposure_amount",
    "loss_amount",
    "ead",
    "lgd",
    "limit",
    "loan",
    "target_d",
    "payment",
    "salary",
    "betrag",
    "kosten",
    "preis",
    "umsatz",
    "gewinn",
    "erlös",
    "marge",
    "wert",
    "einkommen",
    "saldo",
    "kredit",
    "montant",
    "coût",
    "cout",
    "prix",
    "revenu",
    "chiffre_d_affaires",
    "valeur",
    "solde",
)
REAL_COST_WORDS = (
    "cost",
    "costs",
    "expense",
    "expenses",
    "fee",
    "postage",
    "kosten",
    "porto",
    "coût",
    "cout",
    "coûts",
)
CLASS_WORDS = ("scored", "classified", "vorhergesagt", "vorhergesagte", "prédit", "prédite")
"""Beside ``PREDICTION_WORDS``, of a class that a model has chosen."""
LABEL_WORDS = ("label", "class", "klasse", "classe", "decision", "call", "verdict")
"""Of a class that a model has chosen, where its confidence stands beside it."""
CONFIDENCE_WORDS = ("confidence", "konfidenz", "confiance", "confianza", "certainty")
ALGORITHM_WORDS = (
    *("glm", "gam", "gbm", "xgb", "xgboost", "lgbm", "lightgbm", "catboost", "mlp", "svm", "svr"),
    *("elasticnet", "randomforest", "ensemble"),
)
"""Of what a model of that kind says, in the name of a number beside an outcome that is one."""
MODELLED_WORDS = ("model", "modelled", "modeled", "modell", "modelo", "modèle", "modello")
ACTUAL_WORDS = ("actual", "actuals", "observed", "realised", "realized", "ist", "istwert", "réel")
"""Of a number beside forecasts of it."""
PREDICTION_WORDS = (
    "pred",
    "prediction",
    "predicted",
    "yhat",
    "y_hat",
    "forecast",
    "estimate",
    "fitted",
    "prognose",
    "vorhersage",
    "prévision",
    "prévu",
    "predicción",
    "voorspelling",
    "voorspeld",
    "previsione",
)
RISK_WORDS = ("risk", "risiko", "risque", "riesgo", "rischio", "hazard", "mortality")
EXPECTED_WORDS = (
    "expected",
    "erwartet",
    "erwartete",
    "attendu",
    "attendus",
    "esperado",
    "esperados",
    "verwacht",
    "verwachte",
    "atteso",
    "attesi",
)
"""A prediction in a name only where the rest of it is the outcome: not "expected_revenue"."""

SCORE_WORDS = (
    "prob",
    "probability",
    "proba",
    "p",
    "score",
    "posterior",
    "phat",
    "p_hat",
    "pd",
    "chance",
    "likelihood",
    "pprob",
    "wahrscheinlichkeit",
    "wkt",
    "probabilité",
    "probabilidad",
    "probabilità",
    "kans",
    "prawdopodobieństwo",
    "pravděpodobnost",
    "sannolikhet",
    "sannsynlighet",
    "sandsynlighed",
    "todennäköisyys",
    "olasılık",
    "propensity_score",
    "scored",
)
_WORDS = "|".join(sorted(SCORE_WORDS, key=len, reverse=True))
_JOINT = r"[_.\s\-]"
_PREFIX = re.compile(rf"(?:{_WORDS}|pred|prediction){_JOINT}(?P<rest>.+)\Z", re.IGNORECASE)
_SUFFIX = re.compile(rf"(?P<rest>.+){_JOINT}(?:{_WORDS}|pred)\Z", re.IGNORECASE)
_SUFFIX_LEVEL = re.compile(
    rf"(?P<model>.+?)[_. \-](?:{_WORDS})[_. \-]?(?P<level>[^_. \-]+)\Z", re.IGNORECASE
)
_UNIT = re.compile(
    r"(?:[_. \-]?[(\[]\s*(?:%|in %|percent|prozent)\s*[)\]]|\s*%|\s+in\s+%|"
    r"[_. \-](?:pct|percent|percentage|prozent))\Z",
    re.IGNORECASE,
)
#: What programs put in front of a name: scikit-learn's users, and tables of sums and means.
_BEFORE = re.compile(
    r"\A(?:y(?:hat)?[_. ](?=prob|score)|(?:average|avg|mean|sum|max|min|mittelwert|moyenne) "
    r"(?:of|von|de) )",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\Z")
_AS_FUNCTION = re.compile(r"\A(?:p|pr|prob)\s*[(\[](?P<rest>[^()\[\]]+)[)\]]\Z", re.IGNORECASE)
_POINTS = re.compile(
    r"score(?:card)?[_. \-]?(?:points?|punkte|wert|value)|points? de score", re.IGNORECASE
)
_COMPOUND = re.compile(
    r"(?P<rest>\w{4,}?)(?:s?wahrscheinlichkeit|s?wahrsch\.?|(?<!under)score)", re.IGNORECASE
)
_COMPOUND_OF = re.compile(rf"\w{{4,}}?s?wahrscheinlichkeit{_JOINT}(?P<rest>.+)", re.IGNORECASE)
_MODEL_WORDS = ("model", "modell", "modèle", "modele", "modelo", "modello")
_BARE = re.compile(rf"(?:{_WORDS})\d*\Z", re.IGNORECASE)
_PLAIN_SCORE = re.compile(r"(?:scored?|predicted|model)[ _.\-](?:prob\w*|score)", re.IGNORECASE)
_OF = re.compile(
    r"\A(?:of|to|for|de|du|des|der|d['\u2019]|di|del|op|für)(?:\b[_.\s\-]*|(?<=['\u2019]))", re.I
)
#: Scores on the scale of a model's linear part, and those that bureaus sell.
LINK_NAMES = (
    "log_odds",
    "logodds",
    "logit",
    "xbeta",
    "xb",
    "linear_predictor",
    "linpred",
    "lp",
    "eta",
)
BUREAU_NAMES = ("fico", "vantage", "vantagescore", "beacon", "schufa", "schufa_score", "crif")


def without_answers(folded: str) -> str:
    """A folded name without the part that says yes or no: "ausfall_j/n" is "ausfall"."""
    parts = folded.split("_")
    while len(parts) > 1 and parts[-1] in _ANSWERS:
        parts.pop()
    while len(parts) > 1 and parts[0] in ("is", "has", "ist", "hat", "flag", "ind"):
        parts.pop(0)
    return "_".join(parts)


def opposite_level(form: str) -> str:
    """The opposite of a level such as "yes", written in the same way; nothing if it has none."""
    folded = form.casefold()
    for yes, no in OPPOSITES:
        if folded in (yes, no):
            other = no if folded == yes else yes
            return other.upper() if form.isupper() else other.title() if form.istitle() else other
    return ""


def has_word(name: str, words: tuple[str, ...]) -> bool:
    """Whether one of the words stands in a name on its own (between joints)."""
    parts = fold(name).split("_")
    whole = fold(name)
    return whole in words or any(part in words for part in parts)


def split_score_name(
    name: str, levels: tuple[str, ...], target: str
) -> tuple[str, str | None] | None:
    """Model and level in the name of a score column; None when the name says no score.

    ``P_target1`` (the way of SAS Enterprise Miner), ``prob_1``, ``p_gbm2``, ``gbm_p1``,
    ``logit_prob``, ``proba``. A level counts only if the target has it.
    """
    bare = _AS_FUNCTION.sub(r"p_\g<rest>", bare_name(name))
    return _split_bare(bare, levels, target) or _split_bare(
        _BRACKETS.sub("", bare),
        levels,
        target,  # "Readmission score (LACE)"
    )


def _split_bare(name: str, levels: tuple[str, ...], target: str) -> tuple[str, str | None] | None:
    folded = {level.casefold(): level for level in levels}
    is_bare = name.casefold() in SCORE_WORDS
    if is_bare or _POINTS.search(name) or _PLAIN_SCORE.fullmatch(name):
        return "", None
    compound = _COMPOUND.fullmatch(name)
    if compound:
        rest = compound["rest"]
        return ("" if is_outcome_words(rest, target) else rest), None
    sas = f"p_{target}".casefold() if target else None
    rest = name.casefold().removeprefix(sas) if sas else name.casefold()
    if rest != name.casefold() and rest in folded:
        return "", folded[rest]
    found = _SUFFIX_LEVEL.match(name)
    if found and found["level"].casefold() in folded:
        return found["model"], folded[found["level"].casefold()]
    found = _PREFIX.match(name) or _COMPOUND_OF.fullmatch(name)
    if found:
        described = _OF.sub("", found["rest"], count=1)
        model, level = _split_rest(described, folded)
        # "Chance to pay", "Kans op vertrek": what is predicted, and no model
        is_of = described != found["rest"] and bool(target)
        return ("" if is_of or is_outcome_words(model, target) else model), level
    found = _SUFFIX.match(name)
    if found:
        return ("" if is_outcome_words(found["rest"], target) else found["rest"]), None
    bare = re.match(rf"(?:{_WORDS})[_. \-]?(?P<level>.+)\Z", name, re.IGNORECASE)
    if bare and bare["level"].casefold() in folded:
        return "", folded[bare["level"].casefold()]
    return ("", None) if _BARE.match(name) else None


def bare_name(name: str) -> str:
    """A column's name without a sign of percent at its end."""
    return _UNIT.sub("", _BEFORE.sub("", name)).rstrip(" .:?") or name


def names_score_alone(name: str) -> bool:
    """Whether a name is a word for score and nothing else, as "PD" is: no letter, such as p."""
    bare = bare_name(name).strip()
    return len(bare) > 1 and _BARE.match(bare) is not None


def split_model_name(name: str, scored: tuple[str, ...]) -> tuple[str, None] | None:
    """The model that a name says as the names of scores do; None when it says none.

    "Model B" and "Model XGB (%)" beside "Model A score": the names of the models, folded in
    ``scored``, have the word model in common, and differ in one letter, number or word. A word
    counts only before a sign of percent: "Model age" is no model.
    """
    bare = _UNIT.sub("", name)
    words = fold(bare).split("_")
    for other in scored:
        pairs = list(zip(words, other.split("_"), strict=False))
        differing = [pair for pair in pairs if pair[0] != pair[1]]
        is_same_length = len(words) == len(other.split("_"))
        is_named = any(word == like and word in _MODEL_WORDS for word, like in pairs)
        if not is_same_length or not is_named or len(differing) != 1:
            continue
        is_mark = all(len(word) == 1 or word.isdigit() for word in differing[0])
        if is_mark or bare != name:
            return bare, None
    return None


def is_outcome_words(words: str, target: str) -> bool:
    """Whether what stands beside "probability" names the outcome and no model."""
    outcome, described = without_answers(fold(target)), fold(words)
    return len(described) > 2 and f"_{described}_" in f"_{outcome}_"


def _split_rest(rest: str, folded: dict[str, str]) -> tuple[str, str | None]:
    """What stands after ``p_``: a level, a model, or a model and a level."""
    if rest.casefold() in folded:
        return "", folded[rest.casefold()]
    pieces = re.split(r"[_. \-]", rest)
    for count in range(1, len(pieces)):
        tail = rest[-len("_".join(pieces[-count:])) :]
        if tail.casefold() in folded:
            return rest[: -len(tail) - 1], folded[tail.casefold()]
    return rest, None


def model_label(raw: str) -> str:
    """A model's name as shown: ``gbm2`` -> ``gbm 2``, ``random_forest`` -> ``random forest``."""
    text = re.sub(r"[_.\-\s]+", " ", raw).strip()
    text = f"model {text}" if text.isdigit() else text
    text = re.sub(r"(?<=[A-Za-z]{2})(?=\d+$)", " ", text)
    return text or "model"
