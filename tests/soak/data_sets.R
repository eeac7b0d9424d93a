# Writes every data frame of the packages that are installed, in each format that R has here, and
# what it holds into facts.tsv: rows; of each column whether it has numbers, their sum or the number
# of different texts, and the cells that are missing. Called with the folder to write into.
folder <- commandArgs(trailingOnly = TRUE)[1]
facts <- file(file.path(folder, "facts.tsv"), "w", encoding = "UTF-8")
no_text <- c("", "NA", "N/A", "n/a", "#N/A", "#NV", "<NA>", "NaN", "nan", "null", "NULL", "(null)", "\\N", "NaT", ".")

write_all <- function(frame, name) {
  at <- function(ending) file.path(folder, paste0(name, ending))
  write.csv(frame, at(".csv"), row.names = FALSE)
  write.csv2(frame, at(".de.csv"), row.names = FALSE)
  write.table(frame, at(".txt"), sep = "\t", qmethod = "double")
  if (nrow(frame) > 8000 || ncol(frame) > 300) return()
  plain <- frame
  names(plain) <- make.unique(substr(gsub("[^A-Za-z0-9_]", "_", names(frame)), 1, 30), sep = "_")
  if (requireNamespace("haven", quietly = TRUE)) {
    try(haven::write_sav(plain, at(".sav")), silent = TRUE)
    try(haven::write_dta(plain, at(".dta")), silent = TRUE)
    try(haven::write_xpt(plain, at(".xpt"), version = 8), silent = TRUE)
  }
  if (requireNamespace("openxlsx", quietly = TRUE)) {
    try(openxlsx::write.xlsx(frame, at(".xlsx")), silent = TRUE)
  }
}

is_plain <- function(column) {
  is.numeric(column) && is.null(attr(column, "tsp")) && !inherits(column, c("Date", "difftime"))
}

fact <- function(column) {
  if (is_plain(column)) {
    return(sprintf("number|%.15g|%d", sum(as.numeric(column), na.rm = TRUE), sum(is.na(column))))
  }
  if (!is.factor(column) && !is.character(column)) return("other|0|0")
  texts <- trimws(as.character(column))
  is_missing <- is.na(texts) | texts %in% no_text
  sprintf("text|%d|%d", length(unique(texts[!is_missing])), sum(is_missing))
}

for (package in rownames(installed.packages())) {
  listed <- tryCatch(data(package = package)$results[, "Item"], error = function(e) character())
  for (item in unique(listed)) {
    name <- sub(" .*", "", item)
    source <- if (grepl("(", item, fixed = TRUE)) sub(".*\\((.*)\\)", "\\1", item) else name
    room <- new.env()
    suppressWarnings(try(data(list = source, package = package, envir = room), silent = TRUE))
    frame <- get0(name, room, inherits = FALSE)
    if (!is.data.frame(frame)) next
    frame <- as.data.frame(frame)
    if (nrow(frame) < 20 || ncol(frame) < 2) next
    if (nrow(frame) > 60000 || any(sapply(frame, function(x) is.list(x) || !is.null(dim(x))))) next
    key <- paste0(package, "__", gsub("[^A-Za-z0-9_.]", "_", name))
    write_all(frame, key)
    lines <- c(key, nrow(frame), sapply(frame, fact))
    writeLines(paste(lines, collapse = "\t"), facts)
  }
}
close(facts)
