"""What both servers do alike: the guard, problem bodies, request ids, logs, metrics, serving."""
