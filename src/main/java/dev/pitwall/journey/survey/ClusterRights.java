package dev.pitwall.journey.survey;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.ObjectType.Scope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Asks whether the person may do what the steps of a cluster do, one question a right; for an administrator one in all. */
final class ClusterRights {
    private static final ObjectType ALL = new ObjectType("*", "*", "*", "*", Scope.CLUSTER);
    private static final ObjectType CLUSTER_ROLE =
            new ObjectType("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", Scope.CLUSTER);
    private static final List<Right> NEEDED = List.of(new Right("create", ObjectType.NAMESPACE),
            new Right("patch", ObjectType.NAMESPACE), new Right("patch", ObjectType.NODE),
            new Right("create", ObjectType.DEFINITION), new Right("delete", ObjectType.DEFINITION),
            new Right("create", CLUSTER_ROLE), new Right("create", ObjectType.CLUSTER_POLICY),
            new Right("patch", ObjectType.CLUSTER_POLICY), new Right("create", ObjectType.SECRET),
            new Right("create", ObjectType.CONFIG_MAP), new Right("patch", ObjectType.CONFIG_MAP),
            new Right("create", ObjectType.DEPLOYMENT), new Right("patch", ObjectType.DAEMON_SET),
            new Right("create", ObjectType.POD), new Right("delete", ObjectType.POD));

    private record Right(String verb, ObjectType type) {
    }

    private ClusterRights() {
    }

    /**
     * The rights that are missing.
     *
     * @param namespaces those that the steps work in; at least one
     */
    static Set<String> missing(Cluster cluster, Set<String> namespaces) throws TroubleException, InterruptedException {
        if (cluster.may("*", ALL, "")) {
            return Set.of();
        }
        Set<String> missing = new HashSet<>();
        for (Right right : NEEDED) {
            for (String namespace : right.type().scope() == Scope.CLUSTER ? List.of("") : new ArrayList<>(namespaces)) {
                if (!cluster.may(right.verb(), right.type(), namespace)) {
                    missing.add(ClusterSurvey.right(right.verb(), right.type(), namespace));
                }
            }
        }
        return missing;
    }
}
