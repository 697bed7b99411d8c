package dev.pitwall.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.evidence.KubeObjects;
import dev.pitwall.doctor.evidence.Lines;
import dev.pitwall.doctor.likeness.ReportWords;
import dev.pitwall.doctor.picture.ObjectWords;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.sign.LineScanner;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.doctor.sign.SignTable;
import dev.pitwall.read.Recognizer;
import dev.pitwall.read.Text;
import dev.pitwall.read.TextEncoding;

import java.io.BufferedInputStream;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.io.ByteArrayInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * One reading of evidence: each document goes by once, its lines give signs, its objects and outputs become the picture.
 * A document that cannot be read is told and never stops the others. Not thread-safe.
 */
final class Examination {
    /** What is larger is read by its lines alone: a log. */
    private static final int UNDERSTOOD_UP_TO = 4 << 20;
    private static final int HEAD = 8_000;
    private final SignBook book;
    private final LineScanner scanner;
    private final ObjectWords words;
    private final Picture picture = new Picture();
    private final Recognizer recognizer = new Recognizer();
    private final KubeObjects objects = new KubeObjects();
    private final ReportWords reportWords = new ReportWords();
    private final List<String> unseen = new ArrayList<>();
    private int documents;
    private long lines;
    private long seenObjects;

    Examination(SignTable table, SignBook book) {
        this.book = book;
        this.scanner = new LineScanner(table, book);
        this.words = new ObjectWords(table, scanner);
    }

    /** Reads a document. */
    void read(Document document) {
        documents++;
        switch (document.body()) {
            case Document.KubeList list -> {
                reportWords.live();
                list.objects().forEach(object -> object(document, object));
            }
            case Document.Told told -> {
                reportWords.live();
                told.signs().forEach(book::add);
            }
            case Document.Stream stream -> {
                try (InputStream in = new BufferedInputStream(stream.bytes().open())) {
                    decoded(document, in);
                } catch (IOException e) {
                    unseen.add(document.name() + ": it could not be read to its end");
                    scanner.end();
                }
            }
        }
    }

    private void decoded(Document document, InputStream in) throws IOException {
        byte[] head = in.readNBytes(TextEncoding.LOOKED_AT);
        InputStream all = new SequenceInputStream(new ByteArrayInputStream(head), in);
        switch (TextEncoding.of(head)) {
            case GZIP -> decoded(document, new BufferedInputStream(new GZIPInputStream(all)));
            case UTF_16LE -> text(document, reader(all, StandardCharsets.UTF_16LE));
            case UTF_16BE -> text(document, reader(all, StandardCharsets.UTF_16BE));
            case UTF_8 -> {
                if (TextEncoding.manyControls(head)) {
                    binary(document);
                } else {
                    text(document, reader(all, StandardCharsets.UTF_8));
                }
            }
            case BINARY -> binary(document);
        }
    }

    private static Reader reader(InputStream in, Charset charset) {
        return new InputStreamReader(in, charset);
    }

    private void binary(Document document) {
        unseen.add(document.name() + ": it is a binary file, not the text of a command");
    }

    private void text(Document document, Reader reader) throws IOException {
        char[] head = new char[HEAD];
        int filled = 0;
        for (int n = 0; n >= 0 && filled < HEAD; n = reader.read(head, filled, HEAD - filled)) {
            filled += n;
        }
        String beginning = new String(head, 0, filled);
        reportWords.title(document.name());
        Reader all = new Overheard(new Rest(beginning, reader), document.name());
        scanner.begin(document.name(), document.hint(), document.about());
        scanner.title();
        KubeObjects.Form form = KubeObjects.form(beginning);
        if (form == KubeObjects.Form.NONE) {
            byLines(document, all);
        } else {
            byObjects(document, all, form);
        }
    }

    private void byLines(Document document, Reader reader) throws IOException {
        StringBuilder whole = new StringBuilder();
        scanner.begin(document.name(), document.hint(), document.about());
        Lines text = new Lines(reader);
        for (String line = text.next(); line != null; line = text.next()) {
            lines += line.isBlank() ? 0 : 1;
            scanner.line(line);
            if (whole.length() <= UNDERSTOOD_UP_TO) {
                whole.append(line).append('\n');
            }
        }
        scanner.end();
        if (whole.length() <= UNDERSTOOD_UP_TO) {
            understood(document, whole.toString());
        }
    }

    private void understood(Document document, String whole) {
        if (recognizer.recognise(Text.whole(whole)) instanceof Recognizer.Recognised recognised) {
            picture.output(recognised.what(), document.name(), document.about(), whole);
            recognised.also().forEach(also -> picture.output(also, document.name(), document.about(), whole));
        }
    }

    private void byObjects(Document document, Reader reader, KubeObjects.Form form) {
        KubeObjects.Outcome outcome = objects.read(reader, form, object -> object(document, object));
        if (outcome instanceof KubeObjects.BrokeOff broke) {
            unseen.add(document.name() + ": " + broke.why());
            againByLines(document);
        }
    }

    /** What follows a break is no object any more; its lines may still say something. */
    private void againByLines(Document document) {
        if (document.body() instanceof Document.Stream stream) {
            try (InputStream in = new BufferedInputStream(stream.bytes().open())) {
                byte[] head = in.readNBytes(TextEncoding.LOOKED_AT);
                if (TextEncoding.of(head) == TextEncoding.UTF_8) {
                    byLines(document, reader(new SequenceInputStream(new ByteArrayInputStream(head), in),
                            StandardCharsets.UTF_8));
                }
            } catch (IOException e) {
                scanner.end();
            }
        }
    }

    private void object(Document document, JsonNode object) {
        seenObjects++;
        words.read(object, document.name(), document.about());
        picture.object(object, document.name(), document.about());
    }

    /** Shows the whole picture to somebody who compares its parts, once everything was read. */
    void picture(Consumer<Picture> viewer) {
        viewer.accept(picture);
    }

    /** The words of what was shown. */
    ReportWords words() {
        return reportWords;
    }

    /** What could not be read, one sentence each. */
    List<String> unseen() {
        return List.copyOf(unseen);
    }

    /** @param causes how many causes the signs are compared with */
    Diagnosis.Looked looked(int causes) {
        return new Diagnosis.Looked(documents, lines, seenObjects, causes);
    }

    /** What is read is also counted word by word, whoever makes sense of it. */
    private final class Overheard extends FilterReader {
        private final String document;
        private final StringBuilder line = new StringBuilder();
        private long number;

        Overheard(Reader in, String document) {
            super(in);
            this.document = document;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("it is read in pieces");
        }

        @Override
        public int read(char[] buffer, int offset, int length) throws IOException {
            int count = super.read(buffer, offset, length);
            if (reportWords.isFull()) {
                return count;
            }
            for (int i = offset; i < offset + count; i++) {
                if (buffer[i] == '\n' || buffer[i] == '\r') {
                    end();
                } else if (line.length() < Lines.LONGEST) {
                    line.append(buffer[i]);
                }
            }
            if (count < 0) {
                end();
            }
            return count;
        }

        private void end() {
            number++;
            if (!line.isEmpty()) {
                reportWords.line(document, number, line.toString());
                line.setLength(0);
            }
        }
    }

    /** A beginning that was read already, and what follows. */
    private static final class Rest extends Reader {
        private final String beginning;
        private final Reader rest;
        private int at;

        Rest(String beginning, Reader rest) {
            this.beginning = beginning;
            this.rest = rest;
        }

        @Override
        public int read(char[] buffer, int offset, int length) throws IOException {
            if (at >= beginning.length()) {
                return rest.read(buffer, offset, length);
            }
            int count = Math.min(length, beginning.length() - at);
            beginning.getChars(at, at + count, buffer, offset);
            at += count;
            return count;
        }

        @Override
        public void close() throws IOException {
            rest.close();
        }
    }
}
