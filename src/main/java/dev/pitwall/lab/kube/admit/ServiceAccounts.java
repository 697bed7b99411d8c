package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.Containers;
import dev.pitwall.lab.kube.store.NameSuffix;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;

import java.util.concurrent.ThreadLocalRandom;

/** Gives every pod a service account, and its token as a projected volume. */
final class ServiceAccounts implements NewPods {
    private static final String MOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
    private static final int TOKEN_SECONDS = 3607;
    private static final int FILE_MODE = 420;

    private final ObjectStore store;

    ServiceAccounts(ObjectStore store) {
        this.store = store;
    }

    @Override
    public void admit(Request request, ObjectNode spec) {
        String name = spec.path("serviceAccountName").asText("");
        if (name.isEmpty()) {
            name = "default";
            spec.put("serviceAccountName", name);
        }
        spec.put("serviceAccount", name);
        String wanted = name;
        JsonNode account = store.find(new ObjectKey(Resource.SERVICE_ACCOUNTS, request.namespace(), name)).map(found ->
                (JsonNode) found.tree()).orElseThrow(() -> Pods.forbidden(request, "error looking up service account "
                + request.namespace() + "/" + wanted + ": serviceaccount \"" + wanted + "\" not found"));
        if (spec.path("imagePullSecrets").isEmpty() && !account.path("imagePullSecrets").isEmpty()) {
            spec.set("imagePullSecrets", account.path("imagePullSecrets"));
        }
        JsonNode mounts = spec.has("automountServiceAccountToken") ? spec.path("automountServiceAccountToken")
                : account.path("automountServiceAccountToken");
        if (mounts.asBoolean(true)) {
            mountToken(spec);
        }
    }

    private static void mountToken(ObjectNode spec) {
        String volume = "kube-api-access-" + NameSuffix.of(ThreadLocalRandom.current());
        boolean used = false;
        for (ObjectNode container : Containers.of(spec)) {
            if (!isMounted(container)) {
                container.withArrayProperty("volumeMounts").addObject().put("name", volume).put("readOnly", true)
                        .put("mountPath", MOUNT);
                used = true;
            }
        }
        if (used) {
            ObjectNode projected = spec.withArrayProperty("volumes").addObject().put("name", volume)
                    .putObject("projected");
            ArrayNode sources = projected.putArray("sources");
            sources.addObject().putObject("serviceAccountToken").put("expirationSeconds", TOKEN_SECONDS)
                    .put("path", "token");
            sources.addObject().putObject("configMap").put("name", "kube-root-ca.crt").putArray("items").addObject()
                    .put("key", "ca.crt").put("path", "ca.crt");
            sources.addObject().putObject("downwardAPI").putArray("items").addObject().put("path", "namespace")
                    .putObject("fieldRef").put("apiVersion", "v1").put("fieldPath", "metadata.namespace");
            projected.put("defaultMode", FILE_MODE);
        }
    }

    private static boolean isMounted(ObjectNode container) {
        for (JsonNode mount : container.path("volumeMounts")) {
            if (mount.path("mountPath").asText().equals(MOUNT)) {
                return true;
            }
        }
        return false;
    }
}
