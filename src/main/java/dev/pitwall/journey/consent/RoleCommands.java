package dev.pitwall.journey.consent;

import dev.pitwall.card.Sentences;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What an administrator types to give somebody rights that are missing. */
final class RoleCommands {
    /** Nobody gives rights that they have not, so who makes roles needs all that is in them (Kubernetes: RBAC). */
    private static final String ROLES = "clusterroles.rbac.authorization.k8s.io";
    private static final String ACCOUNT = "system:serviceaccount:";

    private final Sentences texts;
    private final String user;

    /** @param user as the API server names it; empty text where it does not */
    RoleCommands(Sentences texts, String user) {
        this.texts = texts;
        this.user = user;
    }

    /** One or more sentences. */
    String giving(Collection<Right> missing) {
        boolean roles = missing.stream().anyMatch(r -> r.type().resource().equals(ROLES));
        return roles ? texts.say("rights.admin", binding("pitwall", "cluster-admin"))
                : texts.say("rights.roles", String.join(" && ", commands(missing)));
    }

    private List<String> commands(Collection<Right> missing) {
        SortedMap<String, SortedMap<String, SortedSet<String>>> verbs = new TreeMap<>();
        missing.forEach(right -> verbs.computeIfAbsent(right.namespace(), n -> new TreeMap<>())
                .computeIfAbsent(right.type().resource(), t -> new TreeSet<>()).add(right.verb()));
        List<String> commands = new ArrayList<>();
        verbs.forEach((namespace, types) -> together(types).forEach((all, resources) -> {
            String name = "pitwall-" + all.replace(',', '-');
            String what = name + " --verb=" + all + " --resource=" + String.join(",", resources);
            if (namespace.isEmpty()) {
                commands.add("kubectl create clusterrole " + what);
                commands.add(binding(name, name));
            } else {
                commands.add("kubectl -n " + namespace + " create role " + what);
                commands.add("kubectl -n " + namespace + " create rolebinding " + name + " --role=" + name + " " + subject());
            }
        }));
        return commands;
    }

    /** Types by the verbs that are missing for them. */
    private static Map<String, List<String>> together(SortedMap<String, SortedSet<String>> types) {
        SortedMap<String, List<String>> together = new TreeMap<>();
        types.forEach((type, verbs) -> together.computeIfAbsent(String.join(",", verbs), v -> new ArrayList<>()).add(type));
        return together;
    }

    private String binding(String name, String role) {
        return "kubectl create clusterrolebinding " + name + " --clusterrole=" + role + " " + subject();
    }

    private String subject() {
        String[] account = user.startsWith(ACCOUNT) ? user.substring(ACCOUNT.length()).split(":") : new String[0];
        return account.length == 2 ? "--serviceaccount=" + account[0] + ":" + account[1]
                : "--user=" + (user.isEmpty() ? "USER" : user);
    }
}
