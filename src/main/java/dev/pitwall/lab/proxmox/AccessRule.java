package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Who may call a method, as the API's schema says it. */
sealed interface AccessRule {

    /** No login needed. */
    record World() implements AccessRule {
    }

    /** Any login; the method itself leaves out what the caller may not see. */
    record AnyLogin() implements AccessRule {
    }

    /** @param any one of the privileges is enough */
    record Privileges(String path, List<String> privileges, boolean any) implements AccessRule {
    }

    /** One of several rules is enough. */
    record Or(List<AccessRule> rules) implements AccessRule {
    }

    /** Reads a rule of the schema: a name, or {@code ["perm", path, [privileges…], "any", 1]}, or {@code ["or", …]}. */
    static AccessRule of(JsonNode rule) {
        if (rule.isTextual()) {
            return switch (rule.asText()) {
                case "world" -> new World();
                case "all" -> new AnyLogin();
                default -> throw new IllegalArgumentException("unknown rule " + rule);
            };
        }
        return switch (rule.path(0).asText()) {
            case "perm" -> new Privileges(rule.path(1).asText(), texts(rule.path(2)),
                    rule.path(3).asText().equals("any") && rule.path(4).asInt() == 1);
            case "or" -> {
                List<AccessRule> rules = new ArrayList<>();
                rule.valueStream().skip(1).forEach(part -> rules.add(of(part)));
                yield new Or(rules);
            }
            default -> throw new IllegalArgumentException("unknown rule " + rule);
        };
    }

    /** The check that fails, in Proxmox's words: {@code /vms/100, VM.Audit}; empty when the caller may. */
    default Optional<String> refusal(Rights rights, Caller caller, Map<String, List<String>> parameters) {
        return switch (this) {
            case World world -> Optional.empty();
            case AnyLogin login -> Optional.empty();
            case Or or -> {
                List<Optional<String>> refusals = or.rules.stream()
                        .map(rule -> rule.refusal(rights, caller, parameters)).toList();
                yield refusals.stream().anyMatch(Optional::isEmpty) ? Optional.empty() : refusals.getLast();
            }
            case Privileges needed -> {
                String path = filled(needed.path, parameters);
                Set<String> has = rights.at(caller, path);
                boolean may = needed.any ? needed.privileges.stream().anyMatch(has::contains)
                        : has.containsAll(needed.privileges);
                String missing = needed.any ? String.join("|", needed.privileges)
                        : needed.privileges.stream().filter(privilege -> !has.contains(privilege)).findFirst().orElse("");
                yield may ? Optional.empty() : Optional.of(path + ", " + missing);
            }
        };
    }

    private static String filled(String path, Map<String, List<String>> parameters) {
        return Pattern.compile("\\{([^}]+)}").matcher(path).replaceAll(m -> Matcher.quoteReplacement(
                parameters.getOrDefault(m.group(1), List.of("")).getFirst()));
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }
}
