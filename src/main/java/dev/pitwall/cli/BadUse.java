package dev.pitwall.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One sentence for a command line that cannot be understood, in Pitwall's words. */
public final class BadUse {
    private static final Set<Class<?>> NUMBERS = Set.of(int.class, Integer.class, long.class, Long.class);

    private final ParameterException problem;
    private final List<String> given;

    /** @param given the whole command line */
    public BadUse(ParameterException problem, List<String> given) {
        this.problem = problem;
        this.given = List.copyOf(given);
    }

    /** For example {@code --run: "x" is no whole number}. */
    public String sentence() {
        return switch (problem) {
            case CommandLine.UnmatchedArgumentException e -> e.getUnmatched().getFirst() + ": "
                    + problem.getCommandLine().getCommandSpec().qualifiedName() + " has no such "
                    + (e.isUnknownOption() ? "option" : "command or argument");
            case CommandLine.MissingParameterException e -> missing(e.getMissing().getFirst());
            case CommandLine.MutuallyExclusiveArgsException e -> oneOf() + ": give only one of them";
            case CommandLine.OverwrittenOptionException e -> name(e.getOverwritten()) + ": give it only once";
            default -> Optional.ofNullable(problem.getArgSpec()).map(this::value).orElseGet(problem::getMessage);
        };
    }

    private String missing(ArgSpec argument) {
        boolean there = given.contains(name(argument));
        return name(argument) + (there ? ": its value is missing, " : " is missing: give ") + argument.paramLabel();
    }

    /** The options of a group of which one excludes the others. */
    private String oneOf() {
        return problem.getCommandLine().getCommandSpec().argGroups().stream().filter(g -> g.exclusive())
                .flatMap(g -> g.options().stream()).map(BadUse::name).distinct().collect(Collectors.joining(" and "));
    }

    private String value(ArgSpec argument) {
        String value = Optional.ofNullable(problem.getValue()).orElse("");
        return name(argument) + ": \"" + value + "\" " + (Map.class.isAssignableFrom(argument.type())
                ? "has not the form " + argument.paramLabel()
                : NUMBERS.contains(argument.type()) ? "is no whole number" : "is no " + argument.paramLabel());
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }
}
