package dev.pitwall.ui.connect;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The kept secrets, and before them those that are typed and not saved yet: a test goes with what is in the form. */
public final class TypedSecrets implements Secrets {
    private final Map<SecretRef, String> typed = new ConcurrentHashMap<>();
    private final Secrets kept;

    public TypedSecrets(Secrets kept) {
        this.kept = kept;
    }

    void type(SecretRef ref, String secret) {
        if (secret.isEmpty()) {
            typed.remove(ref);
        } else {
            typed.put(ref, secret);
        }
    }

    /** Forgets what was typed and not saved. */
    void forgetTyped() {
        typed.clear();
    }

    @Override
    public Optional<String> get(SecretRef ref) throws TroubleException {
        Optional<String> now = Optional.ofNullable(typed.get(ref));
        return now.isPresent() ? now : kept.get(ref);
    }

    @Override
    public void put(SecretRef ref, String secret) throws TroubleException {
        kept.put(ref, secret);
    }

    @Override
    public void remove(SecretRef ref) throws TroubleException {
        kept.remove(ref);
    }

    @Override
    public String place() {
        return kept.place();
    }
}
