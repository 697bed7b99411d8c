package dev.pitwall.link.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.link.http.HttpAnswer;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.trust.Place;
import okhttp3.HttpUrl;
import okhttp3.Request;

import java.util.Optional;

/** Signed reads of {@code /api2/json}. */
final class ProxmoxApi {
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

    /** @return field {@code data} */
    JsonNode get(String path) throws TroubleException, InterruptedException {
        return data(ask(http.at("api2/json/" + path).build(), place().where()), place().where());
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

    /** As {@link #get}; empty where this Proxmox has no such call, or the caller no right to it. */
    Optional<JsonNode> ifAllowed(String path) throws TroubleException, InterruptedException {
        HttpAnswer answer = ask(http.at("api2/json/" + path).build(), place().where());
        boolean absent = ProxmoxErrors.unknownCall(answer) || answer.status() == 403;
        return absent ? Optional.empty() : Optional.of(data(answer, place().where()));
    }

    private HttpUrl.Builder nodeUrl(String node, String path) {
        return http.at("api2/json/nodes").addPathSegment(node).addPathSegments(path);
    }

    private HttpAnswer ask(HttpUrl url, String where) throws TroubleException, InterruptedException {
        Request.Builder request = new Request.Builder().url(url);
        signIn.sign(request);
        HttpAnswer answer = http.send(request.build());
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
