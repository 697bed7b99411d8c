package dev.pitwall.lab.ssh.shell;

import java.util.List;

/** What a command line means, before anything is expanded. */
public sealed interface Syntax {

    /** Commands one after the other. */
    record Sequence(List<Syntax> parts) implements Syntax {
    }

    /** {@code left && right}, {@code left || right}. */
    record Both(Syntax left, Condition condition, Syntax right) implements Syntax {
    }

    enum Condition { IF_SUCCEEDED, IF_FAILED }

    record Not(Syntax command) implements Syntax {
    }

    record Pipeline(List<Syntax> stages) implements Syntax {
    }

    record Simple(List<Assignment> assignments, List<Word> words, List<Redirect> redirects) implements Syntax {
    }

    record Group(Syntax body, List<Redirect> redirects) implements Syntax {
    }

    /** {@code ( … )}: what it changes in the shell stays in it. */
    record Subshell(Syntax body, List<Redirect> redirects) implements Syntax {
    }

    record For(String variable, List<Word> words, Syntax body, List<Redirect> redirects) implements Syntax {
    }

    record While(Syntax condition, Syntax body, List<Redirect> redirects) implements Syntax {
    }

    /** Conditions and bodies in order; {@code otherwise} may be an empty sequence. */
    record If(List<Branch> branches, Syntax otherwise, List<Redirect> redirects) implements Syntax {
        public record Branch(Syntax condition, Syntax body) {
        }
    }

    /** {@code name() { … }}: from here on a command of that name runs the body. */
    record Define(String name, Syntax body) implements Syntax {
    }

    record Assignment(String name, Word value) {
    }

    /** @param descriptor 0, 1 or 2 */
    record Redirect(int descriptor, Kind kind, Word target) {
        public enum Kind { READ, WRITE, APPEND, DUPLICATE, HERE, HERE_WORD }
    }

    /** A word is pieces, each quoted or not. */
    record Word(List<Piece> pieces) {
    }

    sealed interface Piece {
    }

    /** @param quoted neither split nor globbed */
    record Text(String text, boolean quoted) implements Piece {
    }

    /** @param expression what stands in {@code ${…}}, or a name */
    record Variable(String expression, boolean quoted) implements Piece {
    }

    record Substitution(String commandLine, boolean quoted) implements Piece {
    }

    /** {@code $(( … ))}: its variables are still to be filled in. */
    record Arithmetic(Word expression, boolean quoted) implements Piece {
    }
}
