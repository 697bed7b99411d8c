package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabToken;
import dev.pitwall.lab.world.LabUser;
import dev.pitwall.lab.world.World;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Knows who calls: by ticket, where the cookie wins, or by API token. [facts: proxmox.md 1.3] */
final class Doorman {
    private static final Pattern TOKEN = Pattern.compile("PVEAPIToken[= ]([^=\\s]+![^=\\s]+)=(.+)");

    private final World world;
    private final Tickets tickets;
    private final InstantSource time;

    Doorman(World world, Tickets tickets, InstantSource time) {
        this.world = world;
        this.tickets = tickets;
        this.time = time;
    }

    /** @throws PveError 401 if nobody known calls, or a ticket without its CSRF token would change something */
    Caller caller(PveRequest request) throws PveError {
        if (request.cookie().isPresent()) {
            String user = tickets.user(request.cookie().get()).filter(this::exists)
                    .orElseThrow(() -> PveError.unauthorized("permission denied - invalid PVE ticket"));
            if (!request.method().equals("GET")
                    && !request.csrf().filter(token -> tickets.isCsrf(token, user)).isPresent()) {
                throw PveError.unauthorized("Permission denied - invalid csrf token");
            }
            return new Caller.User(user);
        }
        String header = request.authorization().orElseThrow(() -> PveError.unauthorized("No ticket"));
        Matcher matcher = TOKEN.matcher(header);
        if (!matcher.matches()) {
            throw PveError.unauthorized("No ticket");
        }
        LabToken token = world.read(w -> Optional.ofNullable(w.tokens.get(matcher.group(1))))
                .filter(found -> same(found.secret(), matcher.group(2)))
                .filter(found -> found.expires() == 0 || found.expires() > time.instant().getEpochSecond())
                .orElseThrow(() -> PveError.unauthorized("Authentication failed!"));
        return new Caller.Token(token.id());
    }

    /**
     * Signs a user in.
     *
     * @param password  the password, an older ticket, or {@code totp:123456} together with a challenge
     * @param challenge the partial ticket of the first call
     * @return a full ticket, or a partial one where a second factor is needed
     * @throws PveError 401, never with a reason
     */
    Ticket signIn(String user, String password, Optional<String> challenge) throws PveError {
        LabUser known = world.read(w -> Optional.ofNullable(w.users.get(user)))
                .orElseThrow(() -> PveError.unauthorized("authentication failure"));
        if (challenge.isPresent()) {
            boolean right = tickets.isPartialOf(challenge.get(), user) && password.startsWith("totp:")
                    && known.totp().filter(secret -> new Totp(secret).accepts(password.substring(5), time.instant()))
                    .isPresent();
            return full(right, user);
        }
        boolean renewal = tickets.user(password).filter(user::equals).isPresent();
        if (!renewal && same(known.password(), password) && known.totp().isPresent()) {
            return new Ticket(user, tickets.partial(user), true, tickets.csrf(user));
        }
        return full(renewal || same(known.password(), password), user);
    }

    private Ticket full(boolean right, String user) throws PveError {
        if (!right) {
            throw PveError.unauthorized("authentication failure");
        }
        return new Ticket(user, tickets.full(user), false, tickets.csrf(user));
    }

    private boolean exists(String user) {
        return world.read(w -> w.users.containsKey(user));
    }

    private static boolean same(String a, String b) {
        return MessageDigest.isEqual(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    /** @param needsSecondFactor the ticket is partial */
    record Ticket(String user, String ticket, boolean needsSecondFactor, String csrf) {
        @Override
        public String toString() {
            return "Ticket[" + user + "]";
        }
    }
}
