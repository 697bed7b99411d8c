package dev.pitwall.lab.kube.api;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderValues;
import io.undertow.util.HttpString;

import java.util.ArrayList;
import java.util.List;

/** Lets those who may {@code impersonate} act as somebody else, by the headers that {@code kubectl --as} sends. */
final class Impersonation {
    private static final HttpString USER = new HttpString("Impersonate-User");
    private static final HttpString GROUP = new HttpString("Impersonate-Group");
    private static final String ACCOUNT = "system:serviceaccount:";

    private final Authorizer authorizer;

    Impersonation(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    /** @throws ApiFailure 403 if the one who asks may not */
    User user(HttpServerExchange exchange, User asking) {
        String name = exchange.getRequestHeaders().getFirst(USER);
        if (name == null) {
            return asking;
        }
        List<String> groups = new ArrayList<>();
        HeaderValues named = exchange.getRequestHeaders().get(GROUP);
        if (named != null) {
            groups.addAll(named);
        }
        String[] account = name.startsWith(ACCOUNT) ? name.substring(ACCOUNT.length()).split(":") : new String[0];
        if (account.length == 2) {
            require(asking, "serviceaccounts", account[0], account[1]);
            if (groups.isEmpty()) {
                groups.addAll(List.of("system:serviceaccounts", "system:serviceaccounts:" + account[0]));
            }
        } else {
            require(asking, "users", "", name);
        }
        if (named != null) {
            named.forEach(group -> require(asking, "groups", "", group));
        }
        if (!groups.contains("system:authenticated")) {
            groups.add("system:authenticated");
        }
        return new User(name, groups);
    }

    private void require(User asking, String resource, String namespace, String name) {
        if (!authorizer.allows(asking, new Authorizer.Wish("impersonate", "", resource, namespace, name))) {
            String where = namespace.isEmpty() ? " at the cluster scope" : " in the namespace \"" + namespace + "\"";
            throw ApiFailure.of(403, "Forbidden", resource + " \"" + name + "\" is forbidden: User \"" + asking.name()
                    + "\" cannot impersonate resource \"" + resource + "\" in API group \"\"" + where);
        }
    }
}
