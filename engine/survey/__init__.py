"""Surveys with guided perturbation: a miner who learns what to ask for, respondents who choose what to disclose.

Zhang, Wang and Zhao, KDD 2005. Notation: t is a respondent's tuple of bits, n questions, 2n bits where all
questions are binary (`dimension` in general); V_k* the miner's guidance; k_i the most that respondent i accepts;
R(t) what is sent.
"""

from trustscope.engine.survey.encoding import Encoding
from trustscope.engine.survey.guidance import (
    ORDERS,
    Guidance,
    GuidanceRefused,
    check_guidance,
    guidance_of,
    weight_bound,
    weights,
)
from trustscope.engine.survey.malicious import hand_picked
from trustscope.engine.survey.miner import Miner
from trustscope.engine.survey.mixes import MIX, Kind, Mix
from trustscope.engine.survey.moderate import moderated
from trustscope.engine.survey.perturb import check_followed, probabilities, respond
from trustscope.engine.survey.run import ATTACKS, Batch, Survey

__all__ = [
    "ATTACKS",
    "MIX",
    "ORDERS",
    "Batch",
    "Encoding",
    "Guidance",
    "GuidanceRefused",
    "Kind",
    "Miner",
    "Mix",
    "Survey",
    "check_followed",
    "check_guidance",
    "guidance_of",
    "hand_picked",
    "moderated",
    "probabilities",
    "respond",
    "weight_bound",
    "weights",
]
