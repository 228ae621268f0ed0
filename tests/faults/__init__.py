"""The whole site as real processes, broken on purpose, and looked at from outside.

`site` starts PostgreSQL, Valkey, the web server, two workers and a mail server;
`players` post answers over HTTP; `checker` knows what they were answered, what the mail server
took, and what triggers of ours wrote down (`logs`). It asserts counts (lost, twice, early), and
only prints times.
"""
