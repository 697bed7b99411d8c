package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.ObjectStore;

import java.util.List;

/**
 * The admission plugins of the API server, in their order: first those that write into an object, then those that refuse
 * it. Requests over the wire and the cluster's own controllers go through the same chain. Safe for any number of threads.
 */
public final class AdmissionChain implements Admission {
    private final List<Admission> own;
    private final List<Admission> mutators;
    private final List<Admission> validating;
    private final PodSecurity podSecurity;

    /** That of an API server whose plugins nobody has configured. */
    public AdmissionChain(ObjectStore store, List<Admission> mutators) {
        this(store, mutators, PodSecurityDefaults.NONE);
    }

    /** @param mutators further plugins that change objects, such as a policy engine's; they come after Kubernetes' own */
    public AdmissionChain(ObjectStore store, List<Admission> mutators, PodSecurityDefaults security) {
        this.podSecurity = new PodSecurity(store, security);
        this.own = List.of(new NamespaceLifecycle(store), new LimitRanger(store), new ServiceAccounts(store),
                new Priorities(store), new RuntimeClasses(store), new DefaultTolerations(),
                new DefaultStorageClass(store));
        this.mutators = List.copyOf(mutators);
        this.validating = List.of(new LimitCheck(store), podSecurity, new QuotaCheck(store));
    }

    /** {@link #mutate} and {@link #check} in one. */
    @Override
    public void admit(Request request) {
        mutate(request);
        check(request);
    }

    /**
     * Lets every plugin write into the object; Kubernetes' own once more where a policy engine has changed it.
     *
     * @throws AdmissionRefusal if one of them cannot
     */
    public void mutate(Request request) {
        own.forEach(plugin -> plugin.admit(request));
        if (!mutators.isEmpty()) {
            ObjectNode before = request.object().deepCopy();
            mutators.forEach(plugin -> plugin.admit(request));
            if (!before.equals(request.object())) {
                own.forEach(plugin -> plugin.admit(request));
            }
        }
    }

    /** @throws AdmissionRefusal if the object, as it is now, must not be kept */
    public void check(Request request) {
        validating.forEach(plugin -> plugin.admit(request));
    }

    /** What the client is to be warned of although the object is kept. */
    public List<String> warnings(Request request) {
        return podSecurity.warnings(request);
    }
}
