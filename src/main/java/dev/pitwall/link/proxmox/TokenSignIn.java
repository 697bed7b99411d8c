package dev.pitwall.link.proxmox;

import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox.Caller;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Words;
import okhttp3.Request;

import java.util.concurrent.atomic.AtomicReference;

/**
 * An API token. Once refused it is not sent again: each further try would only feed a ban list such as fail2ban's.
 */
final class TokenSignIn implements SignIn {
    private final String id;
    private final Typed typed;
    private final Place place;
    private final Words words;
    private final AtomicReference<TroubleException> refusal = new AtomicReference<>();

    /** @param id {@code user@realm!tokenid} */
    TokenSignIn(String id, Typed typed, Place place, Words words) {
        this.id = id;
        this.typed = typed;
        this.place = place;
        this.words = words;
    }

    @Override
    public void sign(Request.Builder request) throws TroubleException {
        TroubleException before = refusal.get();
        if (before != null) {
            throw before;
        }
        String secret = typed.secret().strip();
        if (!printable(id) || !printable(secret)) {
            throw words.failure(Kind.CREDENTIALS, place, "proxmox.tokenform", "id", id);
        }
        request.header("Authorization", "PVEAPIToken=" + id + "=" + secret);
    }

    @Override
    public Caller caller() {
        return new Caller(id, true);
    }

    @Override
    public void refused(TroubleException answer) {
        refusal.compareAndSet(null, answer);
    }

    /** A header carries visible ASCII only. */
    private static boolean printable(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c > 0x20 && c < 0x7f);
    }
}
