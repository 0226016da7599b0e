"""The session agent: what makes a session's terminals and desktop survive the network.

It runs inside the first node of a session as the learner's user, so it can do nothing that the
learner could not do. Only the platform's gateway and the session's own nodes reach it; who may come
in is the gateway's business. Nothing typed or printed is ever written anywhere: a terminal's
scroll-back lives in memory and ends with the session.
"""
