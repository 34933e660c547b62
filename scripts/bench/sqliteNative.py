"""The SQLite that this machine has, as a native reference: FTS5 over the same facts and questions.

Reads lines of JSON: {"fact": [...]} for the facts, {"add": [...]} for one more page, {"ask": [kind, query]}.
Prints one JSON object like engineChild.ts does.
"""
import json
import os
import resource
import sqlite3
import sys
import time

path = sys.argv[1]
columns = sys.argv[2].split(",")
place = ",".join("?" * (len(columns) + 1))
database = sqlite3.connect(path, isolation_level=None)
database.execute("pragma journal_mode = off")
database.execute("pragma synchronous = off")
database.execute(f"create virtual table facts using fts5(id unindexed, {','.join(columns)})")
added, asked = [], []
built = 0.0
rows = []


def flush():
    global built
    started = time.perf_counter()
    database.execute("begin")
    database.executemany(f"insert into facts values ({place})", rows)
    database.execute("commit")
    built += time.perf_counter() - started
    rows.clear()


for line in sys.stdin:
    message = json.loads(line)
    if "fact" in message:
        rows.append(message["fact"])
        if len(rows) == 4000:
            flush()
    elif "add" in message:
        added.append(message["add"])
    else:
        asked.append(message["ask"])
flush()
database.close()
size = os.path.getsize(path)

started = time.perf_counter()
database = sqlite3.connect(path, isolation_level=None)
statement = "select id from facts where facts match ? order by bm25(facts, 0, 2, 1.5, 1.2, 1, 0.5, 0.8) limit 10"
opened = time.perf_counter() - started
times = {}
for kind, query in asked:
    started = time.perf_counter()
    database.execute(statement, (query,)).fetchall()
    times.setdefault(kind, []).append((time.perf_counter() - started) * 1000)
started = time.perf_counter()
database.execute("begin")
database.executemany(f"insert into facts values ({place})", added)
database.execute("commit")
add = time.perf_counter() - started
print(json.dumps({
    "version": sqlite3.sqlite_version,
    "buildMs": built * 1000,
    "openMs": opened * 1000,
    "addMs": add * 1000,
    "bytes": size,
    "times": times,
    "maxRssMb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
