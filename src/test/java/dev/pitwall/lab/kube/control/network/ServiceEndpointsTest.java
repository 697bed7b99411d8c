package dev.pitwall.lab.kube.control.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.upkeep.GarbageCollector;
import dev.pitwall.lab.kube.control.upkeep.UpkeepRig;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Preconditions;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServiceEndpointsTest {
    private final UpkeepRig rig = new UpkeepRig(parts -> List.of(new ServiceEndpoints(parts.plane()),
            new ApiServerEndpoints(parts.plane()), new GarbageCollector(parts.plane(), parts.kinds())));

    @AfterEach
    void close() {
        rig.close();
    }

    private StoredObject service(String name, String spec) {
        return rig.put("v1", "Service", "default", name, "{metadata: {labels: {app: web}}, spec: " + spec + "}");
    }

    private ObjectKey pod(String name, String ip, boolean ready) {
        return rig.put("v1", "Pod", "default", name, "{metadata: {labels: {app: web}}, spec: {nodeName: a, containers: ["
                + "{name: c, ports: [{name: http, containerPort: 8080}]}]}, status: {phase: Running, podIP: " + ip
                + ", conditions: [{type: Ready, status: '" + (ready ? "True" : "False") + "'}]}}").key();
    }

    private JsonNode endpoints(String name) {
        return rig.get(new ObjectKey(Resource.ENDPOINTS, "default", name));
    }

    private List<JsonNode> slices(String service) {
        return rig.all(Resource.ENDPOINT_SLICES, "default").stream()
                .filter(slice -> service.equals(slice.labels().get("kubernetes.io/service-name")))
                .map(slice -> (JsonNode) slice.tree()).toList();
    }

    private static List<String> ips(JsonNode list) {
        List<String> ips = new ArrayList<>();
        list.forEach(address -> ips.add(address.path("ip").asText()));
        return ips;
    }

    private static List<String> ready(JsonNode slice) {
        List<String> found = new ArrayList<>();
        slice.path("endpoints").forEach(endpoint -> found.add(endpoint.at("/addresses/0").asText() + "="
                + endpoint.at("/conditions/ready").asText() + "," + endpoint.at("/conditions/serving").asText() + ","
                + endpoint.at("/conditions/terminating").asText()));
        return found;
    }

    private void turn(ObjectKey pod, String ready) {
        rig.change(pod, object -> ((ObjectNode) object.at("/status/conditions/0")).put("status", ready));
        rig.pass(0);
    }

    @Test
    void readyPodsAreAddressesAndTheOthersStandApart() {
        service("web", "{selector: {app: web}, ports: [{port: 80, targetPort: http, protocol: TCP}]}");
        pod("a", "10.42.0.1", true);
        ObjectKey other = pod("b", "10.42.0.2", false);
        rig.pass(0);
        JsonNode subset = endpoints("web").at("/subsets/0");
        assertThat(ips(subset.path("addresses"))).containsExactly("10.42.0.1");
        assertThat(ips(subset.path("notReadyAddresses"))).containsExactly("10.42.0.2");
        assertThat(subset.at("/ports/0/port").asInt()).isEqualTo(8080);
        assertThat(subset.at("/addresses/0/targetRef/name").asText()).isEqualTo("a");
        assertThat(subset.at("/addresses/0/nodeName").asText()).isEqualTo("a");
        assertThat(slices("web")).singleElement().satisfies(slice -> {
            assertThat(ready(slice)).containsExactly("10.42.0.1=true,true,false", "10.42.0.2=false,false,false");
            assertThat(slice.at("/ports/0/port").asInt()).isEqualTo(8080);
            assertThat(slice.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("Service");
            assertThat(slice.at("/metadata/labels").path("endpointslice.kubernetes.io/managed-by").asText())
                    .isEqualTo("endpointslice-controller.k8s.io");
        });
        turn(other, "True");
        assertThat(ips(endpoints("web").at("/subsets/0/addresses"))).containsExactly("10.42.0.1", "10.42.0.2");
        assertThat(slices("web")).hasSize(1);
    }

    @Test
    void aPodThatTerminatesLeavesTheEndpointsAndStaysInTheSliceUntilItHasGone() {
        service("web", "{selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}");
        ObjectKey pod = pod("a", "10.42.0.1", true);
        rig.pass(0);
        rig.store.delete(pod, 30, Preconditions.NONE);
        rig.pass(0);
        assertThat(endpoints("web").has("subsets")).isFalse();
        assertThat(ready(slices("web").getFirst())).containsExactly("10.42.0.1=false,true,true");
        rig.store.purge(pod);
        rig.pass(0);
        assertThat(slices("web")).singleElement().satisfies(slice ->
                assertThat(slice.path("endpoints")).isEmpty());
    }

    @Test
    void whoeverPublishesAllPublishesAll() {
        service("web", "{clusterIP: None, publishNotReadyAddresses: true, selector: {app: web}, ports: [{port: 80}]}");
        pod("a", "10.42.0.1", false);
        rig.pass(0);
        assertThat(ips(endpoints("web").at("/subsets/0/addresses"))).containsExactly("10.42.0.1");
        assertThat(endpoints("web").at("/subsets/0/ports/0/port").asInt()).isEqualTo(80);
        assertThat(endpoints("web").at("/metadata/labels").has("service.kubernetes.io/headless")).isTrue();
        assertThat(ready(slices("web").getFirst())).containsExactly("10.42.0.1=true,false,false");
    }

    @Test
    void aHeadlessServiceWithoutPortsHasAddressesOnly() {
        service("web", "{clusterIP: None, selector: {app: web}}");
        pod("a", "10.42.0.1", true);
        rig.pass(0);
        assertThat(ips(endpoints("web").at("/subsets/0/addresses"))).containsExactly("10.42.0.1");
        assertThat(endpoints("web").at("/subsets/0").has("ports")).isFalse();
    }

    @Test
    void portsThatLeadToTheSamePodsStandTogether() {
        service("web", "{selector: {app: web}, ports: [{name: one, port: 80, targetPort: http}, {name: two, port: 81,"
                + " targetPort: 9090}, {name: none, port: 82, targetPort: nowhere}]}");
        pod("a", "10.42.0.1", true);
        rig.pass(0);
        assertThat(endpoints("web").path("subsets")).hasSize(1);
        assertThat(endpoints("web").at("/subsets/0/ports").findValuesAsText("name")).containsExactly("one", "two");
    }

    @Test
    void withoutASelectorSomebodyElseSaysWhatIsBehindIt() {
        service("web", "{ports: [{port: 80}]}");
        rig.put("v1", "Endpoints", "default", "web", "{subsets: [{addresses: [{ip: 192.0.2.1}], ports: [{port: 80}]}]}");
        rig.pass(0);
        assertThat(ips(endpoints("web").at("/subsets/0/addresses"))).containsExactly("192.0.2.1");
        assertThat(slices("web")).isEmpty();
    }

    @Test
    void moreThanAHundredEndpointsTakeSeveralSlicesAndStayWhereTheyAre() {
        service("web", "{selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}");
        List<ObjectKey> pods = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            pods.add(pod("p" + (1000 + i), "10.42.1." + i, true));
        }
        rig.pass(0);
        assertThat(slices("web")).extracting(slice -> slice.path("endpoints").size()).containsExactlyInAnyOrder(100, 50);
        String name = slices("web").stream().filter(slice -> slice.path("endpoints").size() == 50).findFirst()
                .orElseThrow().at("/metadata/resourceVersion").asText();
        rig.store.purge(pods.getFirst());
        rig.pass(0);
        assertThat(slices("web")).extracting(slice -> slice.path("endpoints").size()).containsExactlyInAnyOrder(99, 50);
        assertThat(slices("web")).extracting(slice -> slice.at("/metadata/resourceVersion").asText())
                .as("the other slice is untouched").contains(name);
    }

    @Test
    void nothingIsWrittenForAPodOfWhichNothingHasChangedThatEndpointsShow() {
        service("web", "{selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}");
        ObjectKey pod = pod("a", "10.42.0.1", true);
        rig.pass(0);
        String before = endpoints("web").at("/metadata/resourceVersion").asText();
        rig.change(pod, object -> object.withObjectProperty("metadata").putObject("annotations").put("some", "note"));
        rig.pass(1);
        assertThat(endpoints("web").at("/metadata/resourceVersion").asText()).isEqualTo(before);
    }

    @Test
    void bothGoWithTheirServiceAndComeBackIfSomebodyDeletesThem() {
        StoredObject service = service("web", "{selector: {app: web}, ports: [{port: 80}]}");
        pod("a", "10.42.0.1", true);
        rig.pass(0);
        rig.store.purge(new ObjectKey(Resource.ENDPOINTS, "default", "web"));
        rig.all(Resource.ENDPOINT_SLICES, "default").forEach(slice -> rig.store.purge(slice.key()));
        rig.pass(0);
        assertThat(ips(endpoints("web").at("/subsets/0/addresses"))).containsExactly("10.42.0.1");
        assertThat(slices("web")).hasSize(1);
        rig.store.delete(service.key(), 0, Preconditions.NONE);
        rig.pass(0);
        assertThat(rig.all(Resource.ENDPOINTS, "default")).isEmpty();
        assertThat(rig.all(Resource.ENDPOINT_SLICES, "default")).isEmpty();
    }

    @Test
    void servicesOfAgentsGetAddressesOfTheClustersOwnNetwork() {
        rig.put("v1", "Service", "default", "kubernetes", "{spec: {clusterIP: 10.96.0.1, ports: [{port: 443}]}}");
        StoredObject web = rig.hand.create(rig.key("v1", "Service", "default", "web"),
                UpkeepRig.yaml("{spec: {selector: {app: web}, ports: [{port: 80}]}}"));
        StoredObject far = rig.hand.create(rig.key("v1", "Service", "default", "far"),
                UpkeepRig.yaml("{spec: {type: ExternalName, externalName: example.com}}"));
        assertThat(rig.get(web.key()).at("/spec/clusterIP").asText()).startsWith("10.96.");
        assertThat(rig.get(web.key()).at("/spec/clusterIPs/0")).isEqualTo(rig.get(web.key()).at("/spec/clusterIP"));
        assertThat(rig.get(far.key()).at("/spec").has("clusterIP")).isFalse();
    }

    @Test
    void theApiServersOwnServiceLeadsToTheControlPlaneThatIsHeardOf() {
        for (String name : List.of("m1", "m2")) {
            rig.put("v1", "Node", "", name, "{metadata: {labels: {node-role.kubernetes.io/control-plane: 'true'}},"
                    + " status: {addresses: [{type: InternalIP, address: 10.0.0." + name.charAt(1) + "}], conditions: ["
                    + "{type: Ready, status: 'True'}]}}");
        }
        rig.pass(0);
        assertThat(ips(endpoints("kubernetes").at("/subsets/0/addresses"))).containsExactly("10.0.0.1", "10.0.0.2");
        rig.change(rig.key("v1", "Node", "", "m1"), node ->
                ((ObjectNode) node.at("/status/conditions/0")).put("status", "Unknown"));
        rig.pass(0);
        assertThat(ips(endpoints("kubernetes").at("/subsets/0/addresses"))).containsExactly("10.0.0.2");
        assertThat(slices("kubernetes")).singleElement().satisfies(slice ->
                assertThat(slice.at("/endpoints/0/addresses/0").asText()).isEqualTo("10.0.0.2"));
    }
}
