"""Runs a command on a pseudo terminal: its output to standard output, standard input to its keyboard.

    python3 terminal.py COLUMNS ROWS COMMAND [ARGUMENT...]

What begins with a NUL is no key: NUL COLUMNS NUL makes the terminal as wide.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios

columns, rows, *command = sys.argv[1:]


def resize(terminal, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', int(rows), int(columns), 0, 0))


pid, terminal = pty.fork()
if pid == 0:
    # Before the command starts, so that it never sees another size.
    resize(0, columns)
    os.execvp(command[0], command)

sources = [terminal, 0]
while terminal in sources:
    for source in select.select(sources, [], [])[0]:
        try:
            data = os.read(source, 65536)
        except OSError:  # The command has ended, and its terminal with it.
            data = b''
        if not data:
            sources.remove(source)
        elif source == terminal:
            os.write(1, data)
        else:
            while data[:1] == b'\0':
                _, width, data = data.split(b'\0', 2)
                resize(terminal, width)
            os.write(terminal, data)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
