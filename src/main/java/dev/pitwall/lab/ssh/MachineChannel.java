package dev.pitwall.lab.ssh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;

/** An open file. What is written stands in the file when it is closed, or at once where it is read again before. */
final class MachineChannel implements SeekableByteChannel {
    private final MachineFiles files;
    private final String path;
    private final boolean writes;
    private final boolean appends;
    private byte[] content;
    private int position;
    private boolean dirty;
    private boolean open = true;

    MachineChannel(MachineFiles files, String path, byte[] content, boolean writes, boolean appends) {
        this.files = files;
        this.path = path;
        this.content = content;
        this.writes = writes;
        this.appends = appends;
    }

    @Override
    public synchronized int read(ByteBuffer target) throws IOException {
        requireOpen();
        if (position >= content.length) {
            return -1;
        }
        int count = Math.min(target.remaining(), content.length - position);
        target.put(content, position, count);
        position += count;
        return count;
    }

    @Override
    public synchronized int write(ByteBuffer source) throws IOException {
        requireOpen();
        if (!writes) {
            throw new NonWritableChannelException();
        }
        if (appends) {
            position = content.length;
        }
        int count = source.remaining();
        if (position + count > content.length) {
            content = Arrays.copyOf(content, position + count);
        }
        source.get(content, position, count);
        position += count;
        dirty = true;
        return count;
    }

    @Override
    public synchronized long position() {
        return position;
    }

    @Override
    public synchronized SeekableByteChannel position(long newPosition) {
        position = Math.toIntExact(newPosition);
        return this;
    }

    @Override
    public synchronized long size() {
        return content.length;
    }

    @Override
    public synchronized SeekableByteChannel truncate(long size) {
        if (!writes) {
            throw new NonWritableChannelException();
        }
        if (size < content.length) {
            content = Arrays.copyOf(content, Math.toIntExact(size));
            dirty = true;
        }
        return this;
    }

    @Override
    public synchronized boolean isOpen() {
        return open;
    }

    @Override
    public synchronized void close() throws IOException {
        if (open) {
            open = false;
            if (dirty) {
                files.write(path, content);
            }
        }
    }

    private void requireOpen() throws ClosedChannelException {
        if (!open) {
            throw new ClosedChannelException();
        }
    }
}
