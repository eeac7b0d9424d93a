# Figures of R's gbm on made-up rows that have everything at once: missing numbers, a factor,
# weights, an offset, monotone inputs, rows that only judge. Run here: Rscript make_mixed.R
suppressMessages({library(gbm); library(jsonlite)})
set.seed(20261)
n <- 260; train <- 180
steps <- function(x, by) round(x / by) * by
data <- data.frame(
  x1 = steps(rnorm(n), 0.01), x2 = steps(runif(n, 0, 10), 0.01), x3 = steps(rexp(n), 0.01),
  x4 = sample(c("a", "b", "c", "d", "e"), n, replace = TRUE))
score <- 0.8 * data$x1 + 0.15 * data$x2 - 0.3 * data$x3 +
  c(a = -1, b = 0.5, c = 0, d = 1, e = -0.4)[data$x4]
data$number <- steps(score + rnorm(n), 0.001)
data$yes <- rbinom(n, 1, plogis(score - 0.8))
data$count <- rpois(n, exp(0.4 * score))
data$class <- c("red", "green", "blue")[1 + rbinom(n, 2, plogis(score - 0.8))]
data$time <- steps(rexp(n, exp(0.5 * score)), 1e-6) + 1e-6 * seq_len(n)
data$event <- rbinom(n, 1, 0.7)
data$group <- rep(seq_len(n / 10), each = 10)
data$rank <- pmin(4, pmax(0, round(score + rnorm(n))))
data$w_case <- steps(runif(n, 0.5, 2), 0.01)
data$w_group <- data$w_case[1 + 10 * (data$group - 1)]
data$offset_case <- steps(rnorm(n, 0, 0.3), 0.01)
data$x1[sample(n, 40)] <- NA
data$x3[sample(n, 25)] <- NA
write.csv(data, "mixed.csv", row.names = FALSE, quote = FALSE)
levels <- sort(unique(data$x4))
data$x4 <- factor(data$x4, levels = levels)
inputs <- c("x1", "x2", "x3", "x4")
monotone <- c(1, 0, -1, 0)

fitted <- function(case, distribution, response, weight = "w_case", offset = "offset_case",
                   group = NULL, bag = 1, signs = monotone, seed = 1, trees = 60,
                   share = train / n) {
  used <- data
  formula <- if (length(response) == 2)
    paste0("Surv(", response[1], ", ", response[2], ") ~ ") else paste0(response, " ~ ")
  add <- if (is.null(offset)) "" else paste0(" + offset(", offset, ")")
  formula <- as.formula(paste0(formula, paste(inputs, collapse = " + "), add))
  if (distribution$name == "multinomial") used$class <- factor(used$class)
  set.seed(seed)
  arguments <- list(formula = formula, data = used, distribution = distribution, n.trees = trees,
    interaction.depth = 3, n.minobsinnode = 8, shrinkage = 0.1, bag.fraction = bag,
    train.fraction = share, var.monotone = signs, keep.data = FALSE, verbose = FALSE)
  if (!is.null(weight)) arguments$weights <- used[[weight]]
  model <- do.call(gbm::gbm, arguments)
  record_of(case, model, used, "mixed", response, distribution, weight, offset, group)
}

record_of <- function(case, model, used, table, response, distribution, weight, offset, group) {
  link <- suppressWarnings(predict(model, used, n.trees = model$n.trees, type = "link"))
  if (length(dim(link)) == 3) link <- link[, , 1]
  plain <- model
  plain$distribution <- list(name = distribution$name)  # its test fails on more than one entry
  influence <- relative.influence(plain, n.trees = model$n.trees, scale. = FALSE, sort. = FALSE)
  list(case = case,
    about = "made-up rows: missing numbers, factor, weights, offset, monotone, judging rows",
    made_with = list(R = R.version.string, gbm = as.character(packageVersion("gbm"))), data = table,
    settings = list(distribution = distribution, n.trees = model$n.trees, interaction.depth = 3,
      n.minobsinnode = 8, shrinkage = 0.1, bag.fraction = model$bag.fraction,
      nTrain = model$nTrain, n_rows = n, var.monotone = model$var.monotone),
    columns = list(features = inputs, factor_levels_in_order = list(x4 = levels),
      response = as.list(response), weight = weight, offset = offset, group = group),
    classes = if (distribution$name == "multinomial") as.list(model$classes) else NULL,
    initF = model$initF, train_error = model$train.error, valid_error = model$valid.error,
    predictions_link = link, relative_influence_unscaled = as.list(setNames(influence, inputs)))
}

keep <- function(record) {
  path <- paste0(record$case, ".json")
  writeLines(toJSON(record, digits = 17, auto_unbox = TRUE, null = "null"), path)
  cat(record$case, "\n")
}

library(survival)
keep(fitted("gaussian_mixed", list(name = "gaussian"), "number"))
keep(fitted("laplace_mixed", list(name = "laplace"), "number"))
# Weighted medians of equal residuals hang on its sort: weights here, an offset there.
keep(fitted("tdist_mixed", list(name = "tdist", df = 6), "number", offset = NULL))
keep(fitted("tdist_offset_mixed", list(name = "tdist", df = 6), "number", weight = NULL))
keep(fitted("quantile_mixed", list(name = "quantile", alpha = 0.7), "number",
  weight = NULL))  # gbm has no weighted quantile
# Its Newton steps for an offset stop at the first negative one, and huberized leaves offsets out.
keep(fitted("bernoulli_mixed", list(name = "bernoulli"), "yes", offset = NULL))
keep(fitted("huberized_mixed", list(name = "huberized"), "yes", offset = NULL))
keep(fitted("adaboost_mixed", list(name = "adaboost"), "yes"))
keep(fitted("poisson_mixed", list(name = "poisson"), "count"))
# Small nodes: two splits part the training rows alike and a judging row not, so all rows train.
keep(fitted("multinomial_mixed", list(name = "multinomial"), "class", offset = NULL, share = 1))
keep(fitted("coxph_mixed", list(name = "coxph"), c("time", "event"),
  offset = NULL))  # gbm stops at an offset

# Pairwise: gbm() would shuffle groups but not their offsets, so gbm.fit; rows stand in the order it
# wants, and small offsets decide ties, which it breaks at random.
ranked <- data[order(data$group, -data$rank), ]
ranked$offset_case <- steps(runif(n, 0, 0.05), 1e-9)
ranked$yes <- as.numeric(ranked$rank >= 2)
write.csv(ranked, "mixed_ranked.csv", row.names = FALSE, quote = FALSE)
for (metric in c("conc", "mrr", "map", "ndcg")) {
  used <- ranked
  response <- if (metric %in% c("mrr", "map")) "yes" else "rank"
  model <- gbm.fit(x = used[inputs], y = used[[response]], offset = used$offset_case,
    distribution = list(name = "pairwise", metric = metric, group = "group"), 
    w = used$w_group * n / sum(used$w_group),  # gbm() scales its weights, gbm.fit does not
    group = used$group, n.trees = 60, interaction.depth = 3, n.minobsinnode = 8, shrinkage = 0.1,
    bag.fraction = 1, var.monotone = monotone, keep.data = FALSE, verbose = FALSE)
  keep(record_of(paste0("pairwise_", metric, "_mixed"), model, used, "mixed_ranked", response,
    list(name = "pairwise", metric = metric, group = "group"), "w_group", "offset_case", "group"))
}

# Stochastic bagging has other random numbers here: what is compared is the distribution over seeds.
seeds <- lapply(list(list("gaussian", "number"), list("bernoulli", "yes"), list("poisson", "count")),
  function(pair) {
    offset <- if (pair[[1]] == "bernoulli") NULL else "offset_case"
    errors <- sapply(1:200, function(seed) {
      record <- fitted("", list(name = pair[[1]]), pair[[2]], offset = offset, bag = 0.5, seed = seed)
      tail(record$valid_error, 1)
    })
    list(distribution = pair[[1]], response = pair[[2]], has_offset = !is.null(offset), seeds = 200,
      mean = mean(errors), sd = sd(errors))
  })
dir.create("over_seeds", showWarnings = FALSE)
writeLines(toJSON(list(about = "validation error after 60 trees, bag.fraction 0.5, seeds 1 to 200",
  made_with = list(R = R.version.string, gbm = as.character(packageVersion("gbm"))), runs = seeds),
  digits = 17, auto_unbox = TRUE), file.path("over_seeds", "bagging.json"))
