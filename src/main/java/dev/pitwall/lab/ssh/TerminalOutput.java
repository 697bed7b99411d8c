package dev.pitwall.lab.ssh;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Output to a terminal: a line feed becomes carriage return and line feed, as a tty does. */
public final class TerminalOutput extends FilterOutputStream {
    private int last;

    public TerminalOutput(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int b) throws IOException {
        if (b == '\n' && last != '\r') {
            out.write('\r');
        }
        out.write(b);
        last = b;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        byte[] shown = new byte[2 * length];
        int n = 0;
        for (int i = from; i < from + length; i++) {
            if (bytes[i] == '\n' && last != '\r') {
                shown[n++] = '\r';
            }
            shown[n++] = bytes[i];
            last = bytes[i];
        }
        out.write(shown, 0, n);
        out.flush();
    }
}
