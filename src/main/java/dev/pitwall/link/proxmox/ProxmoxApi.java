package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.journey.Proxmox.Call;
import dev.pitwall.journey.Proxmox.Caller;
import dev.pitwall.link.http.HttpAnswer;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Place;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/** Signed questions to {@code /api2/json}. */
final class ProxmoxApi {
    private static final MediaType FORM = MediaType.get("application/x-www-form-urlencoded");

    private final HttpReader http;
    private final SignIn signIn;
    private final ProxmoxErrors errors;

    ProxmoxApi(HttpReader http, SignIn signIn, ProxmoxErrors errors) {
        this.http = http;
        this.signIn = signIn;
        this.errors = errors;
    }

    Place place() {
        return http.place();
    }

    /** The place of a sentence about one node, which the API may have asked another machine about. */
    String behind(String node) {
        return node.equals(place().name()) ? place().where() : node + " through " + place().where();
    }

    Caller caller() {
        return signIn.caller();
    }

    JsonNode get(String path) throws TroubleException, InterruptedException {
        return get(path, Map.of());
    }

    /**
     * @param path  not encoded
     * @param query not encoded
     * @return field {@code data}
     */
    JsonNode get(String path, Map<String, String> query) throws TroubleException, InterruptedException {
        HttpUrl.Builder url = url(path);
        query.forEach(url::addQueryParameter);
        return data(ask(url.build(), where(path)), where(path));
    }

    /** As {@link #get(String)}; empty where this Proxmox has no such call or thing, or the caller no right to it. */
    Optional<JsonNode> ifThere(String path) throws TroubleException, InterruptedException {
        HttpAnswer answer = ask(url(path).build(), where(path));
        boolean absent = ProxmoxErrors.unknownCall(answer) || answer.status() == 403 || errors.noSuchThing(answer);
        return absent ? Optional.empty() : Optional.of(data(answer, where(path)));
    }

    /**
     * A write, sent once.
     *
     * @return field {@code data}
     */
    JsonNode send(Call call) throws TroubleException, InterruptedException {
        HttpUrl.Builder url = url(call.path());
        Request.Builder request = new Request.Builder();
        switch (call.method()) {
            // A DELETE with a body is refused (facts 1.1).
            case DELETE -> {
                call.parameters().forEach((key, values) -> values.forEach(v -> url.addQueryParameter(key, v)));
                request.delete(null);
            }
            case POST -> request.post(form(call));
            case PUT -> request.put(form(call));
        }
        request.url(url.build());
        signIn.sign(request);
        return data(accepted(sendOnce(request.build(), where(call.path())), where(call.path())), where(call.path()));
    }

    private HttpAnswer sendOnce(Request request, String where) throws TroubleException, InterruptedException {
        try {
            return http.sendOnce(request);
        } catch (TroubleException e) {
            throw NetworkTrouble.mayHaveArrived(e.getCause())
                    ? new TroubleException(http.troubles().words().troubleBehind(e.trouble().kind(), place(), where,
                            "proxmox.unsure"), e) : e;
        }
    }

    /**
     * Proxmox's own decoder splits at {@code ;} too and keeps only what is between the first two {@code =}, so every
     * character that may mean something is encoded. Repeated keys are a list in all versions (facts 1.1).
     */
    private static RequestBody form(Call call) {
        StringJoiner pairs = new StringJoiner("&");
        call.parameters().forEach((key, values) -> values.forEach(v -> pairs.add(encoded(key) + "=" + encoded(v))));
        return RequestBody.create(pairs.toString().getBytes(StandardCharsets.US_ASCII), FORM);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private HttpUrl.Builder url(String path) {
        HttpUrl.Builder url = http.at("api2/json");
        for (String segment : path.split("/")) {
            url.addEncodedPathSegment(encoded(segment));
        }
        return url;
    }

    /** The place of a sentence about a path: the node in it, which the API may have asked another machine about. */
    private String where(String path) {
        String[] segments = path.split("/");
        return segments.length > 1 && segments[0].equals("nodes") ? behind(segments[1]) : place().where();
    }

    /** @param path under the node */
    JsonNode ofNode(String node, String path) throws TroubleException, InterruptedException {
        return data(ask(nodeUrl(node, path).build(), behind(node)), behind(node));
    }

    /** The node's PCI functions, none left out: the default filter hides bridges, memory and processors (facts 1.6). */
    JsonNode pci(String node) throws TroubleException, InterruptedException {
        HttpUrl url = nodeUrl(node, "hardware/pci").addQueryParameter("pci-class-blacklist", "").build();
        return data(ask(url, behind(node)), behind(node));
    }

    /** As {@link #ofNode}, for a VM; empty if it is gone. */
    Optional<JsonNode> ofVm(String node, int vmid, String path) throws TroubleException, InterruptedException {
        HttpAnswer answer = ask(nodeUrl(node, "qemu/" + vmid + "/" + path).build(), behind(node));
        boolean gone = answer.status() == 500 && errors.text(answer).contains("does not exist");
        return gone ? Optional.empty() : Optional.of(data(answer, behind(node)));
    }

    private HttpUrl.Builder nodeUrl(String node, String path) {
        return http.at("api2/json/nodes").addPathSegment(node).addPathSegments(path);
    }

    private HttpAnswer ask(HttpUrl url, String where) throws TroubleException, InterruptedException {
        Request.Builder request = new Request.Builder().url(url);
        signIn.sign(request);
        return accepted(http.send(request.build()), where);
    }

    private HttpAnswer accepted(HttpAnswer answer, String where) throws TroubleException {
        if (answer.status() == 401) {
            TroubleException refusal = new TroubleException(errors.trouble(answer, where));
            signIn.refused(refusal);
            throw refusal;
        }
        return answer;
    }

    private JsonNode data(HttpAnswer answer, String where) throws TroubleException {
        if (!answer.ok() || answer.page()) {
            throw new TroubleException(errors.trouble(answer, where));
        }
        JsonNode body = http.json(answer);
        if (!body.has("data")) {
            throw http.troubles().words().failure(Kind.PROTOCOL, place(), "proxmox.nodata");
        }
        return body.path("data");
    }
}
