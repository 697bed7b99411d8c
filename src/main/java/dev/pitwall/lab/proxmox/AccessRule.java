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

    /** Any login; the method itself leaves out, or refuses, what the caller may not. */
    record AnyLogin() implements AccessRule {
    }

    /** {@code root@pam} with a ticket, nobody else. */
    record RootOnly() implements AccessRule {
    }

    /** @param any one of the privileges is enough */
    record Privileges(String path, List<String> privileges, boolean any) implements AccessRule {

        private Optional<String> missing(Rights rights, Caller caller, Map<String, List<String>> parameters) {
            String at = filled(path, parameters);
            Set<String> has = rights.at(caller, at);
            boolean may = any ? privileges.stream().anyMatch(has::contains) : has.containsAll(privileges);
            String lacks = any ? String.join("|", privileges)
                    : privileges.stream().filter(privilege -> !has.contains(privilege)).findFirst().orElse("");
            return may ? Optional.empty() : Optional.of(at + ", " + lacks);
        }
    }

    /** The user that the parameter {@code userid} names calls. */
    record Self() implements AccessRule {
    }

    /** What an administrator of users has; the lab's users are in no groups. */
    record OverUsers(List<String> privileges) implements AccessRule {
    }

    /** May change who may do what at the path that the parameter {@code path} names. */
    record PermissionsAt(String path) implements AccessRule {
    }

    /** One of several rules is enough. */
    record Or(List<AccessRule> rules) implements AccessRule {
    }

    /** All of several rules. */
    record And(List<AccessRule> rules) implements AccessRule {
    }

    /** Reads a rule of the schema: a name, or {@code ["perm", path, [privileges…], "any", 1]}, or {@code ["or", …]}. */
    static AccessRule of(JsonNode rule) {
        if (rule.isTextual()) {
            return switch (rule.asText()) {
                case "world" -> new World();
                case "all" -> new AnyLogin();
                case "root" -> new RootOnly();
                default -> throw new IllegalArgumentException("unknown rule " + rule);
            };
        }
        return switch (rule.path(0).asText()) {
            case "perm" -> new Privileges(rule.path(1).asText(), texts(rule.path(2)),
                    rule.path(3).asText().equals("any") && rule.path(4).asInt() == 1);
            case "or" -> new Or(parts(rule));
            case "and" -> new And(parts(rule));
            // Realm.AllocateUser is one of an administrator of users.
            case "userid-param" -> rule.path(1).asText().equals("self") ? new Self()
                    : new OverUsers(List.of(rule.path(1).asText()));
            case "userid-group" -> new OverUsers(texts(rule.path(1)));
            case "perm-modify" -> new PermissionsAt(rule.path(1).asText());
            default -> throw new IllegalArgumentException("unknown rule " + rule);
        };
    }

    /** The check that fails, in Proxmox's words: {@code /vms/100, VM.Audit}; empty when the caller may. */
    default Optional<String> refusal(Rights rights, Caller caller, Map<String, List<String>> parameters) {
        return switch (this) {
            case World world -> Optional.empty();
            case AnyLogin login -> Optional.empty();
            case RootOnly root -> Rights.isRoot(caller) ? Optional.empty() : Optional.of("user != root@pam");
            case Self self -> caller.id().equals(parameters.getOrDefault("userid", List.of("")).getFirst())
                    ? Optional.empty() : Optional.of("userid != " + caller.id());
            case OverUsers over -> rights.at(caller, "/access/groups").stream().anyMatch(over.privileges::contains)
                    ? Optional.empty() : Optional.of("/access/groups, " + String.join("|", over.privileges));
            case PermissionsAt at -> rights.mayChangePermissions(caller, filled(at.path, parameters)) ? Optional.empty()
                    : Optional.of(filled(at.path, parameters) + ", Permissions.Modify");
            case Or or -> {
                List<Optional<String>> refusals = refusals(or.rules, rights, caller, parameters);
                yield refusals.stream().anyMatch(Optional::isEmpty) ? Optional.empty() : refusals.getLast();
            }
            case And and -> refusals(and.rules, rights, caller, parameters).stream().flatMap(Optional::stream).findFirst();
            case Privileges needed -> needed.missing(rights, caller, parameters);
        };
    }

    private static List<Optional<String>> refusals(List<AccessRule> rules, Rights rights, Caller caller,
                                                   Map<String, List<String>> parameters) {
        return rules.stream().map(rule -> rule.refusal(rights, caller, parameters)).toList();
    }

    private static List<AccessRule> parts(JsonNode rule) {
        List<AccessRule> rules = new ArrayList<>();
        rule.valueStream().skip(1).forEach(part -> rules.add(of(part)));
        return rules;
    }

    private static String filled(String path, Map<String, List<String>> parameters) {
        return Pattern.compile("\\{([^}]+)}").matcher(path).replaceAll(m -> Matcher.quoteReplacement(
                parameters.getOrDefault(m.group(1), List.of("")).getFirst()));
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }
}
