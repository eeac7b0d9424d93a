"""Words in column names that hint at a role, by topic; commas part the words of a list."""

from __future__ import annotations

import re


def _listed(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(","))


# ---------------------------------------------------------------- outcomes

MEDICAL_EVENTS = _listed("""
    exitus, dthfl, fstat, décès, deces, ereignis, événement, evenement, tod, décédé, décédée,
    vital_status, fstatus, relapse, rezidiv, récidive
""")
TARGET_NAMES = (
    _listed("""
    target, y, outcome, response, responded, respond, bad, default, defaulted, class, label, y_true,
    ytrue, actual, truth, observed, obs, event, churn, churned, converted, conversion, fraud,
    is_fraud, good_bad, target_b, target_flag, bought, purchase, purchased, clicked, click,
    survived, result, flag_bad, visit, dependent, buyer, donated, gave, risk, default_flag, died,
    death, dead, status, charged_off, churn_flag, claim, claims, n_claims, claim_count,
    number_of_claims, ausfall, ausgefallen, ergebnis, zielvariable, zielgröße, kündigung, gekündigt,
    gekauft, kauf, storno, betrug, schaden, schäden, reaktion, antwort, gestorben, verstorben,
    défaut, defaut, résultat, resultat, cible, réponse, reponse, achat, résilié, résiliation,
    fraude, sinistre, sinistres
""")
    + MEDICAL_EVENTS
    + _listed("""
    left, schadenanzahl, schadenzahl, number_claims, claim_cnt, nb_claims, anzahl_schäden,
    nombre_de_sinistres, nb_sinistres, diagnosis, diagnose, diagnostic, statut, responder, lapse,
    lapsed, attrition, exited, cancelled, subscribed, readmitted, claim_nb, claimnb, num_claims,
    nclaims, claims_count, nombre_sinistres, anzahl_schaden, aantal_schades, impago, incumplimiento,
    moroso, compra, abandono, respuesta, siniestro, siniestros, número_de_siniestros, wanbetaling,
    wanbetaler, aankoop, opzegging, opgezegd, uitkomst, respons, schade, schades, overleden,
    insolvenza, insolvente, acquisto, abbandono, risposta, frode, sinistri, impayé, impayés,
    défaillance, nákup, odezva, selhání, nesplacení, odchod, zakup, rezygnacja, odejście,
    niewypłacalność, szkoda, vásárlás, válasz, lemorzsolódás, esemény, köp, utfall, køb, udfald,
    kjøp, pass/fail, 解約, 購入, 退会, 離脱, 違約, 违约, 是否违约, 是否違約, 流失, 购买, 購買, 이탈,
    해지, 구매, дефолт, отток, покупка, נטישה, רכישה, temerrüt, terk, αθέτηση, αγορά, تعثر, شراء
""")
)
#: Joints of a name that say that a column holds yes or no: "Ausfall J/N", "churn_ind".
ANSWERS = _listed("""
    j/n, ja/nein, y/n, yes/no, o/n, oui/non, s/n, sí/no, si/no, sì/no, ja/nee, 0/1, 1/0, flag, flg,
    ind, indicator, indikator, indicateur, kz, kennzeichen, フラグ, 有無, 여부, 标志, 標誌
""")
HAPPENED = _listed("""
    failed, failure, cancelled, canceled, lapsed, returned, readmit, readmitted, readmission,
    relapsed, renewed, subscribed, unsubscribed, redeemed, donated, breakdown, died, death,
    deceased, mortality, delinquent, delinquency, ordered, escalated, won, lost, voted, repaid,
    complained, complaint, accepted, sold, stockout, hospitalised, hospitalized, hospitalisation,
    hospitalization, chargeback, defekt, storniert, gekündigt, bestellt, eingelöst, angenommen,
    verkauft, eskaliert, verstorben, gestorben, sterblichkeit, rehospitalisierung, wiederaufnahme,
    abandoned, abandonment, breached, reopened, resolved, noshow, retained, upgraded, approved,
    funded, promoted, satisfied, satisfaction, bankrupt, bankruptcy, insolvency, arrested, arrest,
    expired, expire, disputed, refunded, paid, genehmigt, koupil,
    nakoupil, reagoval, odešel, nesplatil, kupił, kupil, odszedł, spłacił, reklamiert, résilié,
    commandé, accepté, vendu, décédé, décès, réhospitalisation, réadmission, réclamation
""")
"""Words for what happened to a case, in the name of a column of two values."""
ILLNESSES = _listed("""
    stroke, heart_disease, heart_attack, chd, cvd, cad, cardio, cardiovascular, infarction, mi,
    diabetes, cancer, sepsis, pneumonia, aki, dementia, mace, schlaganfall, herzinfarkt, krebs, avc,
    infarctus, ictus, infarto
""")
"""What a case had or came to have: its outcome where the file says no other end."""
ASKED = re.compile(
    r"\b(?:buy|bought|purchas\w*|order(?:ed)?|subscrib\w*|unsubscrib\w*|cancel\w*|renew\w*|"
    r"switch(?:ed)?|donate\w*|vote[d]?|churn\w*|quit|gekauft|bestellt|gekündigt|gewechselt|abonniert|"
    r"gespendet|gewählt|acheté\w*|résilié\w*|commandé\w*|abonné\w*|compr(?:ó|ado|aste|aron)|"
    r"dio de baja|dado de baja|cancel(?:ó|ado)|contrat(?:ó|ado)|kupił\w*|zrezygnował\w*|zamówił\w*|"
    r"acquistato|comprato|disdetto|gekocht|opgezegd|besteld|comprou|cancelou)\b",
    re.IGNORECASE,
)
"""What a survey asks whether somebody did it."""
HAPPENED_ENDINGS = (
    "ausfall", "kündigung", "storno", "betrug", "abwanderung", "insolvenz", "rückgabe", "verzug",
)  # fmt: skip
"""Of German words for the same, of which the first part says what of: "Zahlungsausfall"."""
CASE_LEVELS = _listed("""
    case, cases, patient, patients, diseased, fall, fälle, erkrankt, cas, malade, caso, casos
""")
CONTROL_LEVELS = _listed("""
    control, controls, healthy, healthy control, kontrolle, kontrollen, gesund, témoin, témoins,
    sain, controles, sano
""")
"""Of studies that set the ill beside others: an outcome, and no arms of a treatment."""
INDETERMINATE = ("i", "ind", "indeterminate", "indet", "unbestimmt", "indéterminé")
#: Two levels that say a result, whatever the column is called.
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
        ("refunded", "paid"),
        ("approved", "rejected"),
        ("spam", "ham"),
        ("tumor", "normal"),
        *((case, control) for case in CASE_LEVELS for control in CONTROL_LEVELS),
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
LOANS_PAID = frozenset(
    _listed("""
    paid, fully paid, paid off, repaid, paid back, bezahlt, zurückgezahlt, getilgt, remboursé,
    remboursée, completed, p i f, pif, paid in full, payé, pagado, reembolsado, pagato, rimborsato,
    betaald, afgelost, spłacony
""")
)
LOANS_LOST = frozenset(
    _listed("""
    default, defaulted, charged off, chargedoff, chgoff, written off, ausfall, ausgefallen,
    abgeschrieben, défaut, en défaut, impayé, impayée, impagado, fallido, insolvente, insoluto,
    wanbetaling, afgeschreven
""")
)
"""Ends of loans: a column that holds one of each says how they ended, whatever it is called."""
UNKNOWN_LEVELS = _listed("""
    k.a., k. a., keine angabe, unbekannt, fehlt, fehlend, nicht bekannt, unknown, unk, not known,
    not evaluated, not available, missing, inconnu, inconnue, non renseigné, n.c., n.d., nc, nd, nr,
    n/a, na, ?, -, --, nsp, ne sait pas, weiß nicht, weiss nicht, don't know, dont know, ns/nc,
    no sabe, prefer not to say
""")
"""Values of an outcome that say that it is not known, in small letters."""
UNKNOWN_CODES = ("8", "9", "88", "98", "99", "999", "-8", "-9", "-88", "-99", "-999")
COUNT_NAMES = _listed("""
    schadenanzahl, schadenzahl, nb, number, claims, n_claims, claim_count, number_of_claims,
    sinistres, schäden, nclaims, nclaim, numclaims, claimnb, claimcount, count, anzahl, nombre,
    visits, orders, purchases
""")
COUNT_WORDS = ("count", "number", "anzahl", "nombre", "total", "amount")
BEFORE_WORDS = _listed("""
    before, pre, prior, past, history, hx, previous, previously, prevalent, last, ever, family,
    vorher, früher, frühere, letzte, avant, antérieur
""")
"""Of what was so before: no outcome."""
SCALE_WORDS = _listed("""
    baseline, basal, ausgangswert, ausgangsscore, nps, csat, satisfaction, zufriedenheit, review,
    quality, qualität, pain, schmerz, apgar, training, exam, test, math, reading, writing,
    happiness, stress, depression, wellbeing, engagement
""")
"""Of points that were measured when a study began, asked or tested: no model's."""


# ---------------------------------------------------------------- cases and rows

ID_NAMES = _listed("""
    id, key, customer, account, case, caseid, rowid, row_name, uuid, guid, custid, customerid,
    customer_number, kunde, kundennummer, kunden_nr, kundennr, vertrag, vertragsnummer, konto,
    kontonummer, fall, fallnummer, policy, policy_number, loan, identifiant, dossier, contrat,
    compte, numéro, account_number, mrn, police, matricule, fallnr, klant, klantnummer, cliente,
    contrato, contratto, paciente, dossiernummer, client, subject, patient, row, index, unnamed,
    acct, email, e_mail, email_address, msisdn, iban, cpf, cnpj, pesel, nip, customer_no, kundnr,
    kundenr, medarbejdernr, personnummer, číslo_klienta, číslo_smlouvy, rodné_číslo, nr_klienta,
    nr_umowy, numer_klienta, codice_cliente, codice_fiscale, codigo_cliente, código_cliente,
    número_de_cliente, asiakasnumero, ügyfélszám, müşteri_no, inst#, 顧客id, 顧客番号, 会員番号,
    会員id, 客户编号, 客戶編號, 고객번호, номер_клиента, מספר_לקוח, κωδικός_πελάτη, رقم_العميل
""")
PERSON_WORDS = _listed("""
    patient, patientid, patientnr, patienten, kunde, kunden, customer, client, subject, member,
    person, household, versicherter, assuré, mrn
""")
"""Of whom there may be several rows, which belong together."""
CASE_WEIGHT_NAMES = _listed("""
    freq, frequency, gewichtungsfaktor, personengewicht, haushaltsgewicht, weighting,
    weighting_factor, facteur_de_pondération, factor_de_ponderación, gewichtung, designgewicht,
    hochrechnungsfaktor, pondération, _freq_, case_weight, sample_weight, sampling_weight,
    survey_weight, count_weight, frequency_weight, fnlwgt, wtssall, wtssnr, wtssps, pspwght, pspwt,
    dweight, anweight, pweight, pweights, finalwt, finalwgt, perwt, hhwt, pwgtp, wgtp, llcpwt,
    wtmec2yr, wtint2yr, wtsaf2yr, wpfinwgt, wtfinl, asecwt
""")
"""Names of weights that no weight of a body has."""
WEIGHT_NAMES = (
    *_listed("weight, weights, w, gewicht, gew, peso, poids, wt, wgt"),
    *CASE_WEIGHT_NAMES,
)
WEIGHT_BESIDE = _listed("""
    sample, sampling, case, cases, survey, freq, frequency, final, norm, normalized, normalised,
    design, pop, population, inverse, prob, probability, ipw, rake, raked, post, strat, person,
    household, obs, observation, row, exposure, analysis, replicate, base, trimmed, cal, calibrated,
    class, instance, event, resp, respondent, var, factor, stat, statistical, scaled, relative,
    expansion, cross, sectional, longitudinal, fall, design, wave, in, of, the, for
""")
"""Beside the word weight in names of weights of cases: the weight of a vehicle is none."""
BODY_WORDS = _listed("""
    height, bmi, größe, groesse, körpergröße, taille, altura, estatura, altezza, lengte, kg, lb, lbs
""")
"""Of what is measured beside the weight of a body, and its units."""
CHANGE_WORDS = _listed("""
    loss, gain, change, diff, delta, birth, verlust, zunahme, abnahme, änderung, perte, gain, prise,
    pérdida, perdita
""")
"""Of what a body's weight did: "wt.loss" is no weight of cases."""
GROUP_COUNTS = ("count", "n", "cases", "anzahl", "häufigkeit", "haeufigkeit", "effectif", "nombre")
"""Names of the number of cases that a row stands for."""
USE_NAMES = _listed("""
    stichprobe, datensatz, échantillon, echantillon, muestra, use, row_use, split, partition, part,
    set, sample, dataset, data_role, _role_, role, subset, usage, _partind_, partind, train_test,
    fold_use, dataset_type
""")
TEST_FLAGS = _listed("""
    is_test, test_flag, in_test, test_set, testset, is_oot, oot, oot_flag, out_of_time,
    out_of_sample, testdaten
""")
TRAIN_FLAGS = _listed("""
    is_train, is_training, train_flag, in_train, train_set, trainset, training, train, in_sample,
    insample, is_dev, dev_flag, trainingsdaten
""")
VALIDATION_FLAGS = _listed("""
    is_validation, validation_flag, is_val, val_flag, validation, validierung
""")
"""Names of columns whose yes says what a row is for."""
PARTITION_NAMES = ("_part_ind_", "_partind_", "_partind")
"""Of SAS: 1 trains, 0 validates, 2 tests."""
FOLD_NAMES = ("fold", "folds", "cv_fold", "kfold", "k_fold", "fold_id", "cv", "fold_nr", "fold_no")


# ---------------------------------------------------------------- treatments

TREATMENT_NAMES = _listed("""
    treatment, treated, treat, behandlung, behandelt, gruppe, traitement, traité, arm,
    group_treatment, is_treated, exposure, exposed, mailed, contacted, offer, promotion,
    campaign_group, control_group, test_control, trt, intervention, alert, segment_treatment,
    training, trained, holdout, is_holdout, holdout_flag, is_control, control_flag, kontrollgruppe,
    emailed, angeschrieben, angerufen, kontaktiert, beworben, contacté,
    sollicité, contactado
""")
GROUP_WORDS = re.compile(
    r"(?:kanal|kontakt|channel|canal|aktion|maßnahme|massnahme|grupp?[eoa]?|group|groupe|grupo|groep|skupina|arm|voucher|coupon|gutschein\w*|bon)\Z"
)
"""How a name ends of cases that were treated alike, where one level says that it got nothing."""
LETTERED_NAMES = _listed("""
    variant, variation, experiment, bucket, group, ab, variante, groupe
""")
"""Of arms where the values are A, B and so on."""
LETTERED_BESIDE = _listed("""
    test, treatment, exp, study, assigned, assignment, trial, random, randomized, randomised, lot,
    name, id, ab, user, versuch, zuordnung
""")
"""Beside such a word of arms that are called A and B: a blood group, a risk group are none."""
PROPENSITY_NAMES = ("propensity", "propensity_score", "treatment_chance", "p_treated", "e_x")


# ---------------------------------------------------------------- amounts and shares

COST_WORDS = _listed("""
    cost, costs, expense, expenses, fee, price, postage, spend, spending, amount, revenue, profit,
    margin, sales, value, income, balance, exposure_amount, loss_amount, ead, lgd, limit, loan,
    target_d, payment, salary, betrag, kosten, preis, umsatz, gewinn, erlös, marge, wert, einkommen,
    saldo, kredit, montant, coût, cout, prix, revenu, chiffre_d_affaires, valeur, solde, útrata,
    tržba, tržby, částka, výdaje, cena, náklady, příjem, kwota, wydatki, przychód, koszt, składka,
    összeg, költés, költség, bevétel, importe, gasto, gastos, ingresos, coste, precio, importo,
    spesa, spese, ricavo, ricavi, costo, prezzo, bedrag, uitgaven, omzet, prijs, belopp, kostnad,
    beløb
""")
REAL_COST_WORDS = _listed("""
    cost, costs, expense, expenses, fee, postage, kosten, porto, coût, cout, coûts, náklady, koszt,
    költség, coste, costo, kostnad
""")
RATIO_WORDS = _listed("""
    rate, interest, apr, ratio, ltv, dti, discount, margin, tax, fee, share, utilisation,
    utilization, zins, zinssatz, rabatt, anteil, quote
""")
"""Of numbers from 0 to 1 that are measured, not foretold."""


# ---------------------------------------------------------------- what models say

CHANCE_WORDS = _listed("""
    prob, probability, proba, probs, probas, probabilities, wahrscheinlichkeit, probabilité,
    probabilidad, probabilidade, probabilità, prawdopodobieństwo, pravděpodobnost, pravdepodobnosť,
    sannolikhet, sannsynlighet, sandsynlighed, todennäköisyys, olasılık, valószínűség, вероятность
""")
"""Of chances and nothing else."""
SCORE_WORDS = (
    "prob",
    *_listed("""
    p, score, skor, skóre, скор, scoring, puntaje, puntuación, punteggio, pontuação, スコア, 评分,
    評分, 점수, posterior, phat, p_hat, pd, chance, likelihood, pprob, wkt, kans,
    propensity_score, scored
"""),
    *CHANCE_WORDS[1:],
)
PREDICTION_WORDS = _listed("""
    pred, prediction, predicted, yhat, y_hat, forecast, estimate, fitted, prognose, vorhersage,
    prévision, prévu, predicción, voorspelling, voorspeld, previsione
""")
EXPECTED_WORDS = _listed("""
    expected, erwartet, erwartete, attendu, attendus, esperado, esperados, verwacht, verwachte,
    atteso, attesi
""")
"""A prediction in a name only where the rest of it is the outcome: not "expected_revenue"."""
RISK_WORDS = ("risk", "risiko", "risque", "riesgo", "rischio", "hazard", "mortality")
MODELLED_WORDS = ("model", "modelled", "modeled", "modell", "modelo", "modèle", "modello")
CLASS_WORDS = ("scored", "classified", "vorhergesagt", "vorhergesagte", "prédit", "prédite")
"""Beside ``PREDICTION_WORDS``, of a class that a model has chosen."""
RULE_WORDS = ("rule", "hit", "triggered", "alert", "regel", "treffer", "règle", "alerte", "regla")
"""Of whether a case is beyond the point that a rule cuts a score at."""
LABEL_WORDS = ("label", "class", "klasse", "classe", "decision", "call", "verdict")
"""Of a class that a model has chosen, where its confidence stands beside it."""
CONFIDENCE_WORDS = ("confidence", "konfidenz", "confiance", "confianza", "certainty")
ACTUAL_WORDS = ("actual", "actuals", "observed", "realised", "realized", "ist", "istwert", "réel")
"""Of a number beside forecasts of it."""
#: Scores on the scale of a model's linear part, and those that bureaus sell.
LINK_NAMES = _listed("""
    scorecard, log_odds, logodds, logit, xbeta, xb, linear_predictor, linpred, lp, eta,
    raw_formula_val, decision_function, raw_margin
""")
MARGIN_NAMES = _listed("""
    margin, margins, margin_xgb, xgb_margin, output_margin, lgb_margin, margin_lgb, raw_margin
""")
"""Log odds as boosting writes them, where they look like such: a margin is earned, too."""
BUREAU_NAMES = ("fico", "vantage", "vantagescore", "beacon", "schufa", "schufa_score", "crif")
RELEVANCE_WORDS = _listed("""
    relevance, relevant, rel, relevanz, pertinence, pertinent, relevancia, rilevanza, relevantie
""")
"""Of whether, or how well, an entry of a list fits."""
PLACE_NAMES = _listed("""
    rank, ranking, rang, rango, decile, dezil, décile, decil, percentile, perzentil, centile,
    percentil, ventile, quintile, quartile, quintil
""")
"""Whole names of the place that a case has among the others by a score."""
MODEL_COLUMNS = ("model", "modell", "modèle", "modelo", "algorithm", "classifier", "model_name")
"""Names of columns that say in each row which model its score is of."""
ALGORITHM_WORDS = _listed("""
    glm, gam, gbm, xgb, xgboost, lgbm, lightgbm, catboost, mlp, svm, svr, elasticnet, randomforest,
    ensemble
""")
"""Of what a model of that kind says, in the name of a number beside an outcome that is one."""
