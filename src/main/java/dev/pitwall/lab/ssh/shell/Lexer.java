package dev.pitwall.lab.ssh.shell;

import dev.pitwall.lab.ssh.shell.Syntax.Arithmetic;
import dev.pitwall.lab.ssh.shell.Syntax.Piece;
import dev.pitwall.lab.ssh.shell.Syntax.Substitution;
import dev.pitwall.lab.ssh.shell.Syntax.Text;
import dev.pitwall.lab.ssh.shell.Syntax.Variable;
import dev.pitwall.lab.ssh.shell.Syntax.Word;

import java.util.ArrayList;
import java.util.List;

/** Splits a command line into operators and words, keeping what was quoted apart. */
final class Lexer {
    /** A word, an operator such as {@code &&}, a line end, or a here-document's text. */
    sealed interface Token {
        record Operator(String text) implements Token {
        }

        record Bare(Word word) implements Token {
        }

        /** A descriptor written close to its redirection, as in {@code 2>}. */
        record Descriptor(int number) implements Token {
        }
    }

    private static final List<String> OPERATORS =
            List.of("&&", "||", ";;", "<<<", "<<-", "<<", ">>", ">&", "<&", "&>", ";", "|", "&", "<", ">", "(", ")");

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private final List<Integer> pendingHere = new ArrayList<>();
    private int at;

    Lexer(String text) {
        this.text = text;
    }

    List<Token> tokens() throws SyntaxError {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n') {
                at++;
                tokens.add(new Token.Operator("\n"));
                readHereDocuments();
            } else if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '\\' && at + 1 < text.length() && text.charAt(at + 1) == '\n') {
                at += 2;
            } else if (c == '#') {
                skipComment();
            } else if (c >= '0' && c <= '2' && at + 1 < text.length() && "<>".indexOf(text.charAt(at + 1)) >= 0) {
                tokens.add(new Token.Descriptor(c - '0'));
                at++;
            } else if (!operator()) {
                tokens.add(new Token.Bare(word()));
            }
        }
        if (!pendingHere.isEmpty()) {
            throw SyntaxError.unfinished();
        }
        return tokens;
    }

    private void skipComment() {
        while (at < text.length() && text.charAt(at) != '\n') {
            at++;
        }
    }

    private boolean operator() throws SyntaxError {
        for (String operator : OPERATORS) {
            if (text.startsWith(operator, at)) {
                at += operator.length();
                tokens.add(new Token.Operator(operator));
                if (operator.equals("<<") || operator.equals("<<-")) {
                    pendingHere.add(tokens.size());
                    hereDelimiter();
                }
                return true;
            }
        }
        return false;
    }

    private void hereDelimiter() throws SyntaxError {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        tokens.add(new Token.Bare(word()));
    }

    /** The delimiter word is replaced by the document's text. */
    private void readHereDocuments() throws SyntaxError {
        for (int index : pendingHere) {
            Word delimiter = switch (tokens.get(index)) {
                case Token.Bare b -> b.word();
                case Token.Operator o -> throw SyntaxError.near(o.text());
                case Token.Descriptor d -> throw SyntaxError.near(Integer.toString(d.number()));
            };
            boolean literal = delimiter.pieces().stream().anyMatch(p -> switch (p) {
                case Text t -> t.quoted();
                case Variable v -> v.quoted();
                case Substitution s -> s.quoted();
                case Arithmetic a -> a.quoted();
            });
            String end = plain(delimiter);
            StringBuilder body = new StringBuilder();
            while (true) {
                if (at >= text.length()) {
                    throw SyntaxError.unfinished();
                }
                int lineEnd = text.indexOf('\n', at);
                String line = lineEnd < 0 ? text.substring(at) : text.substring(at, lineEnd);
                at = lineEnd < 0 ? text.length() : lineEnd + 1;
                if (line.equals(end)) {
                    break;
                }
                body.append(line).append('\n');
            }
            tokens.set(index, new Token.Bare(literal ? new Word(List.of(new Text(body.toString(), true)))
                    : new Lexer(body.toString()).quotedText()));
        }
        pendingHere.clear();
    }

    /** The whole text as if it stood in double quotes. */
    Word quotedText() throws SyntaxError {
        List<Piece> pieces = new ArrayList<>();
        inDoubleQuotes(pieces, '\0');
        return new Word(pieces);
    }

    static String plain(Word word) {
        StringBuilder out = new StringBuilder();
        for (Piece piece : word.pieces()) {
            switch (piece) {
                case Text t -> out.append(t.text());
                case Variable v -> out.append('$').append(v.expression());
                case Substitution s -> out.append("$(").append(s.commandLine()).append(')');
                case Arithmetic a -> out.append("$((").append(plain(a.expression())).append("))");
            }
        }
        return out.toString();
    }

    private Word word() throws SyntaxError {
        List<Piece> pieces = new ArrayList<>();
        StringBuilder bare = new StringBuilder();
        while (at < text.length() && !ends(text.charAt(at))) {
            char c = text.charAt(at);
            switch (c) {
                case '\'' -> {
                    flush(pieces, bare);
                    int end = text.indexOf('\'', at + 1);
                    if (end < 0) {
                        throw SyntaxError.unfinished();
                    }
                    pieces.add(new Text(text.substring(at + 1, end), true));
                    at = end + 1;
                }
                case '"' -> {
                    flush(pieces, bare);
                    at++;
                    inDoubleQuotes(pieces, '"');
                }
                case '\\' -> {
                    flush(pieces, bare);
                    if (at + 1 < text.length() && text.charAt(at + 1) != '\n') {
                        pieces.add(new Text(text.substring(at + 1, at + 2), true));
                    }
                    at += 2;
                }
                case '$', '`' -> {
                    flush(pieces, bare);
                    pieces.add(dollar(false));
                }
                default -> {
                    bare.append(c);
                    at++;
                }
            }
        }
        flush(pieces, bare);
        return new Word(List.copyOf(pieces));
    }

    private static boolean ends(char c) {
        return Character.isWhitespace(c) || ";|&<>()".indexOf(c) >= 0;
    }

    private static void flush(List<Piece> pieces, StringBuilder bare) {
        if (!bare.isEmpty()) {
            pieces.add(new Text(bare.toString(), false));
            bare.setLength(0);
        }
    }

    /** @param end the closing quote, or 0 for the text's end */
    private void inDoubleQuotes(List<Piece> pieces, char end) throws SyntaxError {
        StringBuilder quoted = new StringBuilder();
        while (true) {
            if (at >= text.length()) {
                if (end != '\0') {
                    throw SyntaxError.unfinished();
                }
                break;
            }
            char c = text.charAt(at);
            if (c == end && end != '\0') {
                at++;
                break;
            }
            if (c == '\\' && at + 1 < text.length() && "$`\"\\\n".indexOf(text.charAt(at + 1)) >= 0) {
                if (text.charAt(at + 1) != '\n') {
                    quoted.append(text.charAt(at + 1));
                }
                at += 2;
            } else if (c == '$' || c == '`') {
                pieces.add(new Text(quoted.toString(), true));
                quoted.setLength(0);
                pieces.add(dollar(true));
            } else {
                quoted.append(c);
                at++;
            }
        }
        pieces.add(new Text(quoted.toString(), true));
    }

    private Piece dollar(boolean quoted) throws SyntaxError {
        if (text.charAt(at) == '`') {
            int end = text.indexOf('`', at + 1);
            if (end < 0) {
                throw SyntaxError.unfinished();
            }
            String inner = text.substring(at + 1, end);
            at = end + 1;
            return new Substitution(inner, quoted);
        }
        at++;
        if (at >= text.length()) {
            return new Text("$", quoted);
        }
        char c = text.charAt(at);
        if (c == '(') {
            String inner = balanced('(', ')');
            return inner.startsWith("(") && inner.endsWith(")")
                    ? new Arithmetic(new Lexer(inner.substring(1, inner.length() - 1)).quotedText(), quoted)
                    : new Substitution(inner, quoted);
        }
        if (c == '{') {
            return new Variable(balanced('{', '}'), quoted);
        }
        if ("?#$@*!0123456789".indexOf(c) >= 0) {
            at++;
            return new Variable(String.valueOf(c), quoted);
        }
        int start = at;
        while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
            at++;
        }
        return start == at ? new Text("$", quoted) : new Variable(text.substring(start, at), quoted);
    }

    /** The text between a bracket and its partner; quotes inside hide brackets. */
    private String balanced(char open, char close) throws SyntaxError {
        int depth = 0;
        int start = at + 1;
        char quote = 0;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == open) {
                depth++;
            } else if (c == close && --depth == 0) {
                return text.substring(start, at++);
            }
        }
        throw SyntaxError.unfinished();
    }
}
