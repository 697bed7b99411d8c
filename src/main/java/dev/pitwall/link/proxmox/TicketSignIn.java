package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox.Caller;
import dev.pitwall.link.http.HttpAnswer;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.SecondFactor;
import okhttp3.FormBody;
import okhttp3.Request;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A password and, where the user has one, a second factor, exchanged for a ticket. The ticket lives two hours and is
 * renewed after one by the ticket itself (facts 1.3).
 *
 * <p>A login that was refused is never tried again by this object: wrong passwords and codes lock accounts. A new
 * object is needed, which only a person's action makes.
 */
final class TicketSignIn implements SignIn {
    private static final Duration RENEW_AFTER = Duration.ofHours(1);
    private static final Duration LIFETIME = Duration.ofHours(2);
    /** Second factors a plain client can answer; WebAuthn and U2F need a browser. */
    private static final List<String> ANSWERABLE = List.of("totp", "recovery", "yubico");

    private final String user;
    private final Typed typed;
    private final SecondFactor secondFactor;
    private final HttpReader http;
    private final ProxmoxErrors errors;
    private final InstantSource clock;
    private final Words words;
    private final ObjectMapper mapper = new ObjectMapper();
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<Ticket> ticket = Optional.empty();
    private Optional<TroubleException> refusal = Optional.empty();

    private record Ticket(String text, String csrf, Instant since) {
    }

    TicketSignIn(String user, Typed typed, SecondFactor secondFactor, HttpReader http, ProxmoxErrors errors,
                 InstantSource clock) {
        this.user = user;
        this.typed = typed;
        this.secondFactor = secondFactor;
        this.http = http;
        this.errors = errors;
        this.clock = clock;
        this.words = http.troubles().words();
    }

    @Override
    public void sign(Request.Builder request) throws TroubleException, InterruptedException {
        Ticket current = current();
        request.header("Cookie", "PVEAuthCookie=" + URLEncoder.encode(current.text(), StandardCharsets.UTF_8));
        request.header("CSRFPreventionToken", current.csrf());
    }

    @Override
    public Caller caller() {
        return new Caller(user, false);
    }

    /** The ticket was refused before its time, as after a change of the cluster's key: the next read signs in anew. */
    @Override
    public void refused(TroubleException answer) {
        lock.lock();
        try {
            ticket = Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private Ticket current() throws TroubleException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (refusal.isPresent()) {
                throw refusal.get();
            }
            Duration age = ticket.map(t -> Duration.between(t.since(), clock.instant())).orElse(LIFETIME);
            if (age.compareTo(LIFETIME) >= 0) {
                ticket = Optional.of(login());
            } else if (age.compareTo(RENEW_AFTER) >= 0) {
                ticket = Optional.of(renew(ticket.orElseThrow()));
            }
            return ticket.orElseThrow();
        } finally {
            lock.unlock();
        }
    }

    private Ticket renew(Ticket old) throws TroubleException, InterruptedException {
        HttpAnswer answer = post(form().add("password", old.text()));
        // A refused renewal says nothing about the password; the old ticket may serve out its time.
        return answer.ok() ? ticket(data(answer)) : old;
    }

    private Ticket login() throws TroubleException, InterruptedException {
        HttpAnswer answer = post(form().add("password", typed.secret()).add("new-format", "1"));
        JsonNode data = accepted(answer, "proxmox.login");
        if (!new Fields(data).flag("NeedTFA").orElse(false)) {
            return ticket(data);
        }
        String partial = new Fields(data).text("ticket").orElse("");
        HttpAnswer second = post(form().add("password", factor(partial)).add("tfa-challenge", partial)
                .add("new-format", "1"));
        return ticket(accepted(second, "proxmox.factor"));
    }

    /** Asks the person for the second factor that the partial ticket names. */
    private String factor(String partial) throws TroubleException {
        List<String> kinds = offered(partial);
        List<String> answerable = kinds.stream().filter(ANSWERABLE::contains).toList();
        if (answerable.isEmpty()) {
            throw latch(words.failure(Kind.CREDENTIALS, http.place(), "proxmox.webauthn", "user", user,
                    "kinds", kinds.isEmpty() ? "?" : String.join(", ", kinds)));
        }
        Optional<String> answer = secondFactor.ask(user + " at " + http.place().name(), answerable);
        if (answer.isEmpty()) {
            throw latch(words.failure(Kind.CREDENTIALS, http.place(), "proxmox.nofactor", "user", user));
        }
        return answer.get();
    }

    /** The challenge stands percent-encoded in the ticket: {@code PVE:!tfa!{JSON}:TIME::SIGNATURE}. */
    private List<String> offered(String partial) {
        List<String> kinds = new ArrayList<>();
        String[] parts = partial.split(":", 3);
        if (parts.length < 2 || !parts[1].startsWith("!tfa!")) {
            return kinds;
        }
        try {
            String json = URLDecoder.decode(parts[1].substring(5).replace("+", "%2B"), StandardCharsets.UTF_8);
            mapper.readTree(json).properties().forEach(e -> {
                if (usable(e.getValue())) {
                    kinds.add(e.getKey());
                }
            });
        } catch (JsonProcessingException | IllegalArgumentException e) {
            kinds.clear();
        }
        return kinds;
    }

    private static boolean usable(JsonNode offer) {
        return switch (offer.getNodeType()) {
            case BOOLEAN, NUMBER -> offer.asBoolean();
            case ARRAY, OBJECT -> !offer.isEmpty();
            case STRING -> !offer.asText().isEmpty() && !offer.asText().equals("0");
            default -> false;
        };
    }

    private JsonNode accepted(HttpAnswer answer, String key) throws TroubleException {
        if (answer.status() == 401) {
            throw latch(words.failure(Kind.CREDENTIALS, http.place(), key, "user", user));
        }
        if (!answer.ok()) {
            throw new TroubleException(errors.trouble(answer, http.place().where()));
        }
        return data(answer);
    }

    private TroubleException latch(TroubleException trouble) {
        refusal = Optional.of(trouble);
        return trouble;
    }

    private JsonNode data(HttpAnswer answer) throws TroubleException {
        if (answer.page()) {
            throw new TroubleException(errors.trouble(answer, http.place().where()));
        }
        return http.json(answer).path("data");
    }

    private Ticket ticket(JsonNode data) throws TroubleException {
        Fields fields = new Fields(data);
        String text = fields.text("ticket").orElse("");
        if (text.isEmpty()) {
            throw words.failure(Kind.PROTOCOL, http.place(), "proxmox.noticket");
        }
        return new Ticket(text, fields.text("CSRFPreventionToken").orElse(""), clock.instant());
    }

    private FormBody.Builder form() {
        return new FormBody.Builder(StandardCharsets.UTF_8).add("username", user);
    }

    /** Sent once, whatever happens to the connection: a second login could lock the account. */
    private HttpAnswer post(FormBody.Builder form) throws TroubleException, InterruptedException {
        return http.sendOnce(new Request.Builder().url(http.at("api2/json/access/ticket").build()).post(form.build())
                .build());
    }
}
