"""Questions as users put them: a graph, changes to it, topics, a method and its settings.

The command line and the explorer both turn what a user gave them into a `Question`, so names, labels, changes,
default topics and settings mean the same in both.

>>> from qontrast import examples
>>> question = Question(graph=examples.load("zebra"), base_scores=[("It has stripes", 0.0)], strict=True)
>>> question.qbaf.base_scores["stripes"], question.pair
(0.0, ('zebra', 'horse'))
>>> question.contrast().gap
0.0
"""

from .question import Question
from .topics import default_pair, order_by_strength, suggest_topics

__all__ = ["Question", "default_pair", "order_by_strength", "suggest_topics"]
