"""Technical words, each explained in one sentence, for whoever knows means and variances."""

# One sentence for all forms of a word: the forms that occur, and what is said of them.
_ENTRIES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("recipient", "recipients"), "A recipient is somebody who is given a copy of the data."),
    (("coalition", "coalitions"), "A coalition is a group of recipients who put their copies together."),
    (
        ("pool", "pools", "pooled", "pooling"),
        "To pool copies is to put them together and guess from all of them at once.",
    ),
    (
        ("perturbed", "perturbation"),
        "Perturbed data were changed at random, on purpose, before anybody was given them.",
    ),
    (
        ("nested", "nested noise"),
        "With nested noise each copy is a better one with more noise added, so that all of them together tell no "
        "more than the best.",
    ),
    (
        ("independent noise",),
        "With independent noise every copy gets noise of its own, and averaging cancels part of it, but not all.",
    ),
    (
        ("proportional", "proportional noise"),
        "With proportional noise all copies carry one and the same noise, only scaled.",
    ),
    (
        ("trust level", "trust levels"),
        "A trust level says how much of the truth a copy holds: 100 % is the original, near 0 % is noise alone.",
    ),
    (("variance",), "The variance is the mean squared distance from the mean: the square of the standard deviation."),
    (
        ("covariance",),
        "The covariance says how two columns vary together; it is their correlation times both standard deviations.",
    ),
    (
        ("noise level", "noise levels"),
        "The noise level is the variance of the noise as a multiple of the data's own variance.",
    ),
    (
        ("breach", "breaches", "breached"),
        "A breach is a guess that comes closer to the true value than was meant to be possible.",
    ),
    (
        ("hit", "hits"),
        "A hit is a guess that comes close enough to the true value; how close is set under “A guess counts as a hit”.",
    ),
    (
        ("belief", "beliefs"),
        "A belief is the distribution of what the true value may be, given all that somebody knows.",
    ),
    (("prior", "priors"), "A prior is what was believed before anything was seen."),
    (("posterior", "posteriors"), "A posterior is what is believed after something was seen."),
    (
        ("retention", "retention probability"),
        "The retention probability is the chance that a value is left as it is; otherwise one is drawn from all "
        "possible values.",
    ),
    (
        ("LLSE", "linear estimate", "best linear guess"),
        "The best linear guess (LLSE) is the weighted sum of what is seen whose mean squared error is least.",
    ),
    (
        ("eigenvalue", "eigenvalues"),
        "An eigenvalue is the variance of the data along one of its principal directions.",
    ),
    (
        ("eigenvector", "eigenvectors", "principal direction", "principal directions"),
        "Principal directions are at right angles, and the data vary independently along each of them.",
    ),
    (
        ("principal component", "principal components", "PCA"),
        "Principal components describe data by the few directions in which they vary most.",
    ),
    (("spectrum",), "The spectrum is the list of all eigenvalues, from the largest to the smallest."),
    (
        ("rotation", "rotated"),
        "A rotation turns all records about one point: lengths and distances stay, single values do not.",
    ),
    (
        ("random projection", "projection"),
        "A random projection multiplies every record by one random matrix, and so mixes all its values.",
    ),
    (("known sample", "known-sample"), "A known sample is a set of other records from the same population."),
    (("insider",), "An insider knows a few of the records that were released, for instance their own."),
    (
        ("competitor",),
        "The competitor has records of other people from the same population, and none of those released.",
    ),
    (("miner",), "The miner collects what respondents send, and learns from it to tell two classes apart."),
    (
        ("guidance",),
        "Guidance is what the miner sends to the respondents: the few combinations of answers that it asks about.",
    ),
    (
        ("direction", "directions"),
        "A direction is one weighted combination of all columns, or of all answers of a questionnaire.",
    ),
    (
        ("classifier", "classifiers"),
        "A classifier is a rule that guesses somebody's class from what is known of them.",
    ),
    (
        ("naive Bayes",),
        "Naive Bayes is a classifier that treats all answers as if they were independent within a class.",
    ),
    (("gamma", "γ"), "γ says how many times the odds of any belief can grow when one copy is seen."),
    (
        ("differential privacy",),
        "Differential privacy asks how well two possible truths about one person can be told apart by whoever sees "
        "what is released.",
    ),
    (
        ("epsilon",),
        "Epsilon bounds how much likelier what is released can be under one truth than under another: its exponential "
        "is how many times.",
    ),
    (
        ("false alarm", "false alarms"),
        "A false alarm is a test that says that something is so where it is not.",
    ),
    (("odds",), "Odds are a probability divided by what is missing to one: 20 % are odds of 1 to 4."),
    (("histogram", "histograms"), "A histogram shows by the height of bars how many values fall between two limits."),
    (
        ("Monte Carlo", "simulation", "simulations"),
        "A simulation draws at random many times and counts, instead of computing a formula.",
    ),
    (
        ("normalised error", "error of 100 %"),
        "The normalised error is the mean squared error divided by the variance: 1 is as bad as guessing the mean.",
    ),
    (
        ("seed",),
        "The seed is the number from which the noise that is shown was made: the same seed gives the same noise.",
    ),
    (("attribute", "attributes"), "An attribute is one column of the data."),
    (("white noise",), "White noise is equally strong in every direction, and independent from column to column."),
    (("Brownian",), "A Brownian path is what many small independent steps add up to."),
    (
        ("Bayes' rule",),
        "Bayes' rule turns the chance of what was seen, given the truth, into the chance of the truth, given what "
        "was seen.",
    ),
    (
        ("misprint", "misprints"),
        "A misprint here is a formula or a claim of a paper that does not hold as it is printed.",
    ),
)

TERMS: dict[str, str] = {word: sentence for words, sentence in _ENTRIES for word in words}
