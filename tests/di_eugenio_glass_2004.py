"""The examples of Di Eugenio & Glass 2004, rebuilt from the counts in its running text.

Rows are coder 1, columns coder 2.
"""

import agreement_fast as af

EXAMPLES = {
    1: [[70, 25], [0, 55]],
    2: [[70, 15], [10, 55]],
    3: [[90, 5], [5, 0]],
    4: [[45, 5], [5, 45]],
    5: [[40, 15], [20, 25]],
    6: [[40, 35], [0, 25]],
}


def example(number):
    """One example's annotations."""
    return af.Annotations.from_contingency(EXAMPLES[number], categories=["Accept", "Ack"])
