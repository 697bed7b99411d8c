package dev.pitwall.lab.ssh.shell;

import dev.pitwall.lab.ssh.shell.Lexer.Token;
import dev.pitwall.lab.ssh.shell.Syntax.Redirect;
import dev.pitwall.lab.ssh.shell.Syntax.Text;
import dev.pitwall.lab.ssh.shell.Syntax.Word;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the tokens of a command line: lists, pipelines, {@code for}, {@code while}, {@code if}, groups,
 * functions.
 */
public final class Parser {
    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z_]\\w*)=(.*)", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][\\w-]*");
    private static final Set<Redirect.Kind> READS =
            EnumSet.of(Redirect.Kind.READ, Redirect.Kind.HERE, Redirect.Kind.HERE_WORD);
    private static final Set<String> CLOSERS = Set.of("then", "else", "elif", "fi", "do", "done", "}");

    private final List<Token> tokens;
    private int at;

    private Parser(List<Token> tokens) {
        this.tokens = tokens;
    }

    /** @throws SyntaxError if it is not a command line */
    public static Syntax parse(String text) throws SyntaxError {
        Parser parser = new Parser(new Lexer(text).tokens());
        Syntax all = parser.list();
        if (parser.at < parser.tokens.size()) {
            throw SyntaxError.near(parser.shown());
        }
        return all;
    }

    private Syntax list() throws SyntaxError {
        List<Syntax> parts = new ArrayList<>();
        skip(";", "\n", "&");
        while (at < tokens.size() && !operator(")") && keyword().filter(CLOSERS::contains).isEmpty()) {
            parts.add(andOr());
            if (at < tokens.size() && !operator(";") && !operator("\n") && !operator("&")) {
                break;
            }
            skip(";", "\n", "&");
        }
        return new Syntax.Sequence(parts);
    }

    private Syntax andOr() throws SyntaxError {
        Syntax left = pipeline();
        while (operator("&&") || operator("||")) {
            Syntax.Condition condition = operator("&&") ? Syntax.Condition.IF_SUCCEEDED : Syntax.Condition.IF_FAILED;
            at++;
            skip("\n");
            requireMore();
            left = new Syntax.Both(left, condition, pipeline());
        }
        return left;
    }

    private Syntax pipeline() throws SyntaxError {
        if (keyword().filter("!"::equals).isPresent()) {
            at++;
            return new Syntax.Not(pipeline());
        }
        List<Syntax> stages = new ArrayList<>(List.of(command()));
        while (operator("|")) {
            at++;
            skip("\n");
            requireMore();
            stages.add(command());
        }
        return stages.size() == 1 ? stages.getFirst() : new Syntax.Pipeline(stages);
    }

    private Syntax command() throws SyntaxError {
        if (operator("(")) {
            at++;
            Syntax body = list();
            expectOperator(")");
            return new Syntax.Subshell(body, redirects());
        }
        String word = keyword().orElse("");
        if (NAME.matcher(word).matches() && operator(at + 1, "(") && operator(at + 2, ")")) {
            return definition(word);
        }
        return switch (word) {
            case "for" -> forLoop();
            case "if" -> condition();
            case "while", "until" -> whileLoop();
            case "{" -> {
                at++;
                Syntax body = list();
                expect("}");
                yield new Syntax.Group(body, redirects());
            }
            default -> {
                if (CLOSERS.contains(word)) {
                    throw SyntaxError.near(word);
                }
                yield simple();
            }
        };
    }

    private Syntax definition(String name) throws SyntaxError {
        at += 3;
        skip("\n");
        requireMore();
        if (!operator("(") && keyword().filter(Set.of("{", "if", "for", "while", "until")::contains).isEmpty()) {
            throw SyntaxError.near(shown());
        }
        return new Syntax.Define(name, command());
    }

    private Syntax forLoop() throws SyntaxError {
        at++;
        String variable = keyword().orElseThrow(SyntaxError::unfinished);
        at++;
        List<Word> words = new ArrayList<>();
        if (keyword().filter("in"::equals).isPresent()) {
            at++;
            while (at < tokens.size() && tokens.get(at) instanceof Token.Bare bare) {
                words.add(bare.word());
                at++;
            }
        } else {
            words.add(new Word(List.of(new Syntax.Variable("@", true))));
        }
        skip(";", "\n");
        expect("do");
        Syntax body = list();
        expect("done");
        return new Syntax.For(variable, words, body, redirects());
    }

    private Syntax whileLoop() throws SyntaxError {
        boolean until = keyword().filter("until"::equals).isPresent();
        at++;
        Syntax condition = list();
        expect("do");
        Syntax body = list();
        expect("done");
        return new Syntax.While(until ? new Syntax.Not(condition) : condition, body, redirects());
    }

    private Syntax condition() throws SyntaxError {
        List<Syntax.If.Branch> branches = new ArrayList<>();
        do {
            at++;
            Syntax condition = list();
            expect("then");
            branches.add(new Syntax.If.Branch(condition, list()));
        } while (keyword().filter("elif"::equals).isPresent());
        Syntax otherwise = new Syntax.Sequence(List.of());
        if (keyword().filter("else"::equals).isPresent()) {
            at++;
            otherwise = list();
        }
        expect("fi");
        return new Syntax.If(branches, otherwise, redirects());
    }

    private Syntax simple() throws SyntaxError {
        List<Syntax.Assignment> assignments = new ArrayList<>();
        List<Word> words = new ArrayList<>();
        List<Redirect> redirects = new ArrayList<>();
        while (at < tokens.size()) {
            List<Redirect> redirect = redirect();
            if (!redirect.isEmpty()) {
                redirects.addAll(redirect);
            } else if (tokens.get(at) instanceof Token.Bare bare) {
                Optional<Syntax.Assignment> assignment = words.isEmpty() ? assignment(bare.word()) : Optional.empty();
                assignment.ifPresentOrElse(assignments::add, () -> words.add(bare.word()));
                at++;
            } else {
                break;
            }
        }
        if (words.isEmpty() && assignments.isEmpty() && redirects.isEmpty()) {
            throw at < tokens.size() ? SyntaxError.near(shown()) : SyntaxError.unfinished();
        }
        return new Syntax.Simple(assignments, words, redirects);
    }

    private static Optional<Syntax.Assignment> assignment(Word word) {
        if (word.pieces().isEmpty() || !(word.pieces().getFirst() instanceof Text text) || text.quoted()) {
            return Optional.empty();
        }
        Matcher m = ASSIGNMENT.matcher(text.text());
        if (!m.matches()) {
            return Optional.empty();
        }
        List<Syntax.Piece> value = new ArrayList<>();
        value.add(new Text(m.group(2), true));
        value.addAll(word.pieces().subList(1, word.pieces().size()));
        return Optional.of(new Syntax.Assignment(m.group(1), new Word(value)));
    }

    private List<Redirect> redirects() throws SyntaxError {
        List<Redirect> redirects = new ArrayList<>();
        for (List<Redirect> r = redirect(); !r.isEmpty(); r = redirect()) {
            redirects.addAll(r);
        }
        return redirects;
    }

    /** The redirection here: none, one, or the two that {@code &>} stands for. */
    private List<Redirect> redirect() throws SyntaxError {
        boolean numbered = at < tokens.size() && tokens.get(at) instanceof Token.Descriptor;
        int operatorAt = numbered ? at + 1 : at;
        Optional<Redirect.Kind> kind = redirectKind(operatorAt);
        if (kind.isEmpty()) {
            return List.of();
        }
        boolean both = tokens.get(operatorAt).equals(new Token.Operator("&>"));
        int descriptor = numbered && tokens.get(at) instanceof Token.Descriptor d ? d.number()
                : READS.contains(kind.get()) ? 0 : 1;
        if (operatorAt + 1 >= tokens.size() || !(tokens.get(operatorAt + 1) instanceof Token.Bare target)) {
            throw SyntaxError.near("newline");
        }
        at = operatorAt + 2;
        Redirect redirect = new Redirect(descriptor, kind.get(), target.word());
        return both ? List.of(redirect, new Redirect(2, Redirect.Kind.DUPLICATE,
                new Word(List.of(new Text("1", true))))) : List.of(redirect);
    }

    private Optional<Redirect.Kind> redirectKind(int index) {
        if (index >= tokens.size() || !(tokens.get(index) instanceof Token.Operator operator)) {
            return Optional.empty();
        }
        return switch (operator.text()) {
            case ">", "&>" -> Optional.of(Redirect.Kind.WRITE);
            case ">>" -> Optional.of(Redirect.Kind.APPEND);
            case "<" -> Optional.of(Redirect.Kind.READ);
            case "<<", "<<-" -> Optional.of(Redirect.Kind.HERE);
            case "<<<" -> Optional.of(Redirect.Kind.HERE_WORD);
            case ">&", "<&" -> Optional.of(Redirect.Kind.DUPLICATE);
            default -> Optional.empty();
        };
    }

    private boolean operator(String text) {
        return operator(at, text);
    }

    private boolean operator(int index, String text) {
        return index < tokens.size() && tokens.get(index) instanceof Token.Operator o && o.text().equals(text);
    }

    /** The unquoted word here, if it is one. */
    private Optional<String> keyword() {
        if (at < tokens.size() && tokens.get(at) instanceof Token.Bare bare && bare.word().pieces().size() == 1
                && bare.word().pieces().getFirst() instanceof Text text && !text.quoted()) {
            return Optional.of(text.text());
        }
        return Optional.empty();
    }

    private void expect(String word) throws SyntaxError {
        if (keyword().filter(word::equals).isEmpty()) {
            throw at < tokens.size() ? SyntaxError.near(shown()) : SyntaxError.unfinished();
        }
        at++;
    }

    private void expectOperator(String text) throws SyntaxError {
        if (!operator(text)) {
            throw at < tokens.size() ? SyntaxError.near(shown()) : SyntaxError.unfinished();
        }
        at++;
    }

    private void requireMore() throws SyntaxError {
        if (at >= tokens.size()) {
            throw SyntaxError.unfinished();
        }
    }

    private void skip(String... operators) {
        while (at < tokens.size() && tokens.get(at) instanceof Token.Operator o
                && List.of(operators).contains(o.text())) {
            at++;
        }
    }

    private String shown() {
        return switch (tokens.get(at)) {
            case Token.Operator o -> o.text().equals("\n") ? "newline" : o.text();
            case Token.Bare b -> Lexer.plain(b.word());
            case Token.Descriptor d -> Integer.toString(d.number());
        };
    }
}
