package dev.pitwall.lab.talos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.world.World;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Who calls and for which nodes. Roles come from the client certificate; a control-plane node passes calls on to the
 * nodes that the metadata {@code node} or {@code nodes} names, a worker answers for itself only (facts: cluster.md 4.5).
 */
final class TalosDoor implements ServerInterceptor {
    /** The nodes a call is for, at least one. */
    static final Context.Key<Targets> TARGETS = Context.key("talos targets");
    static final Context.Key<Set<String>> ROLES = Context.key("talos roles");
    static final String ADMIN = "os:admin";
    private static final String OPERATOR = "os:operator";
    private static final String READER = "os:reader";
    private static final Metadata.Key<String> NODE = Metadata.Key.of("node", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> NODES = Metadata.Key.of("nodes", Metadata.ASCII_STRING_MARSHALLER);

    /** @param several they were asked for as a list, so each answer bears its node's name */
    record Targets(List<String> names, boolean several) {
        String one() {
            return names.getFirst();
        }
    }

    private final World world;
    private final String self;
    private final JsonNode rules;

    TalosDoor(World world, String self) {
        this.world = world;
        this.self = self;
        this.rules = DataFile.tree("talos/roles.yaml");
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers,
                                                       ServerCallHandler<Q, A> next) {
        String method = "/" + call.getMethodDescriptor().getFullMethodName();
        Set<String> roles = roles(call);
        if (!may(roles, method)) {
            return refuse(call, Status.PERMISSION_DENIED.withDescription("not authorized"));
        }
        try {
            Targets targets = targets(headers, method);
            Context context = Context.current().withValues(TARGETS, targets, ROLES, roles);
            return Contexts.interceptCall(context, call, headers, next);
        } catch (io.grpc.StatusException e) {
            return refuse(call, e.getStatus());
        }
    }

    private static <Q, A> ServerCall.Listener<Q> refuse(ServerCall<Q, A> call, Status status) {
        call.close(status, new Metadata());
        return new ServerCall.Listener<>() { };
    }

    private static Set<String> roles(ServerCall<?, ?> call) {
        SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        try {
            X509Certificate client = (X509Certificate) session.getPeerCertificates()[0];
            return Arrays.stream(X500Name.getInstance(client.getSubjectX500Principal().getEncoded()).getRDNs(BCStyle.O))
                    .map(rdn -> IETFUtils.valueToString(rdn.getFirst().getValue()).replace("\\", ""))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (SSLPeerUnverifiedException e) {
            return Set.of();
        }
    }

    private boolean may(Set<String> roles, String method) {
        boolean reader = names(rules.path("readers"), method);
        boolean operator = reader || names(rules.path("operators"), method);
        return roles.contains(ADMIN) || roles.contains(OPERATOR) && operator || roles.contains(READER) && reader;
    }

    private static boolean names(JsonNode list, String method) {
        for (JsonNode entry : list) {
            if (method.equals(entry.asText()) || entry.asText().endsWith("/") && method.startsWith(entry.asText())) {
                return true;
            }
        }
        return false;
    }

    private Targets targets(Metadata headers, String method) throws io.grpc.StatusException {
        List<String> one = all(headers, NODE);
        List<String> many = all(headers, NODES);
        if (one.size() > 1) {
            throw Status.INVALID_ARGUMENT.withDescription("node metadata must be single-valued").asException();
        }
        if (!many.isEmpty() && !names(rules.path("several"), method)) {
            throw Status.INVALID_ARGUMENT.withDescription("one-2-many proxying is not supported for method " + method)
                    .asException();
        }
        List<String> wanted = many.isEmpty() ? one : many;
        List<String> names = new ArrayList<>();
        for (String target : wanted) {
            names.add(name(target));
        }
        return names.isEmpty() ? new Targets(List.of(self), false) : new Targets(List.copyOf(names), !many.isEmpty());
    }

    private static List<String> all(Metadata headers, Metadata.Key<String> key) {
        List<String> values = new ArrayList<>();
        Optional.ofNullable(headers.getAll(key)).ifPresent(all -> all.forEach(values::add));
        return values;
    }

    /** A node by its name or its address in the imitated network. */
    private String name(String target) throws io.grpc.StatusException {
        Optional<String> found = world.read(w -> w.nodes.values().stream()
                .filter(node -> node.name.equals(target) || node.address.equals(target)).map(node -> node.name)
                .findFirst());
        boolean local = found.filter(self::equals).isPresent();
        boolean forwards = world.read(w -> w.nodes.get(self).role.equals("master"));
        if (!local && !forwards) {
            throw Status.PERMISSION_DENIED.withDescription("no request forwarding").asException();
        }
        boolean up = found.filter(name -> world.read(w -> TalosServers.answers(w, name))).isPresent();
        if (!up) {
            throw Status.UNAVAILABLE.withDescription("connection error: desc = \"transport: Error while dialing: dial tcp "
                    + target + ":50000: connect: connection refused\"").asException();
        }
        return found.orElseThrow();
    }
}
