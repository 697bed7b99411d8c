package dev.pitwall.link.proxmox;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.Trouble.Kind;
import dev.pitwall.journey.Proxmox.Call;
import dev.pitwall.journey.Proxmox.Caller;
import dev.pitwall.journey.Proxmox.Method;
import dev.pitwall.journey.Proxmox.TaskEnd;
import dev.pitwall.link.ScriptedServer;
import dev.pitwall.link.ScriptedServer.Reply;
import dev.pitwall.link.ScriptedServer.Request;
import dev.pitwall.link.TestCertificate;
import dev.pitwall.link.Troubles;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.http.TestLimits;
import dev.pitwall.link.trust.NetworkTrouble;
import dev.pitwall.link.trust.Words;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecondFactor;
import dev.pitwall.site.SecretRef;
import dev.pitwall.store.MemorySecrets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import static org.assertj.core.api.Assertions.assertThat;

/** What goes over the wire to a Proxmox API, byte for byte, and what its answers become. */
class ProxmoxClientTest {
    private static final TestCertificate CERTIFICATE = TestCertificate.valid("pve1.lan", "Proxmox Virtual Environment");
    private static final SecretRef REF = new SecretRef("test");
    private static final String UPID = "UPID:pve2:0000C0DE:00A1B2C3:65A1B2C3:qmstart:122:pitwall@pve!desk:";
    private static final String TASK = "/api2/json/nodes/pve2/tasks/UPID%3Apve2%3A0000C0DE%3A00A1B2C3%3A65A1B2C3%3Aqmstart"
            + "%3A122%3Apitwall%40pve%21desk%3A/";
    private static final Duration LONG = Duration.ofSeconds(20);

    private Limits limits = TestLimits.PATIENT;
    private ScriptedServer server;
    private ProxmoxClient client;

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private void token(Function<Request, Reply> script) throws Exception {
        open(new ProxmoxAccess.Token("pitwall@pve!desk", REF), script);
    }

    private void open(ProxmoxAccess.Login login, Function<Request, Reply> script) throws Exception {
        MemorySecrets secrets = new MemorySecrets("memory");
        secrets.put(REF, "11111111-2222-3333-4444-555555555555");
        server = ScriptedServer.tls(CERTIFICATE, script);
        client = new ProxmoxClient(new ProxmoxAccess("pve1", server.uri(), login, Optional.of(CERTIFICATE.fingerprint())),
                secrets, SecondFactor.NONE, InstantSource.system(), limits,
                new NetworkTrouble(new Words()));
    }

    private static Reply data(String json) {
        return Reply.json("{\"data\":" + json + "}");
    }

    private Request only() {
        assertThat(server.requests()).hasSize(1);
        return server.requests().getFirst();
    }

    @Test
    void aReadHasItsQueryAndEveryPartOfItsPathEncoded() throws Exception {
        token(request -> data("[]"));
        client.get("nodes/pve1/hardware/pci", Map.of("pci-class-blacklist", "05;06"));
        assertThat(only().path()).isEqualTo("/api2/json/nodes/pve1/hardware/pci?pci-class-blacklist=05%3B06");
        assertThat(only().header("Authorization")).startsWith("PVEAPIToken=pitwall@pve!desk=");
    }

    @Test
    void everyValueOfAFormIsEncodedAndListsAreRepeatedKeys() throws Exception {
        token(request -> data("null"));
        client.send(new Call(Method.PUT, "cluster/mapping/pci/gpu0", Map.of("map",
                List.of("node=pve1,path=0000:01:00;0000:02:00", "node=pve2,path=0000:01:00,description=a & b + 100%"))));
        assertThat(only().method()).isEqualTo("PUT");
        assertThat(only().body()).isEqualTo("map=node%3Dpve1%2Cpath%3D0000%3A01%3A00%3B0000%3A02%3A00"
                + "&map=node%3Dpve2%2Cpath%3D0000%3A01%3A00%2Cdescription%3Da%20%26%20b%20%2B%20100%25");
        assertThat(only().header("Content-Type")).isEqualTo("application/x-www-form-urlencoded");
        assertThat(only().header("Content-Length")).isEqualTo(Integer.toString(only().body().length()));
        assertThat(only().header("Transfer-Encoding")).isEmpty();
    }

    @Test
    void aDeleteHasItsParametersInTheQueryAndNoBody() throws Exception {
        token(request -> data("null"));
        client.send(Call.of(Method.DELETE, "nodes/pve1/qemu/122", Map.of("purge", "1")));
        assertThat(only().method()).isEqualTo("DELETE");
        assertThat(only().path()).isEqualTo("/api2/json/nodes/pve1/qemu/122?purge=1");
        assertThat(only().header("Content-Length")).isIn("", "0");
        assertThat(only().header("Content-Type")).isEmpty();
    }

    @Test
    void aPostWithoutParametersSaysThatItsBodyIsEmpty() throws Exception {
        token(request -> data("\"" + UPID + "\""));
        assertThat(client.send(Call.of(Method.POST, "nodes/pve1/qemu/122/status/start", Map.of()))).contains(UPID);
        assertThat(only().header("Content-Length")).isEqualTo("0");
    }

    @Test
    void aWriteThatIsDoneAtOnceHasNoTask() throws Exception {
        token(request -> data("null"));
        assertThat(client.send(Call.of(Method.PUT, "nodes/pve1/qemu/122/config", Map.of("onboot", "1")))).isEmpty();
    }

    @Test
    void anAgentsAnswerIsTheDataItself() throws Exception {
        token(request -> data("{\"pid\":4711}"));
        assertThat(client.answer(new Call(Method.POST, "nodes/pve1/qemu/122/agent/exec",
                Map.of("command", List.of("lspci", "-nnk")))).path("pid").asInt()).isEqualTo(4711);
        assertThat(only().body()).isEqualTo("command=lspci&command=-nnk");
    }

    @ParameterizedTest
    @CsvSource({"PUT", "POST", "DELETE"})
    void aWriteThatIsCutIsNotSentAgainAndItsOutcomeIsOpen(Method method) throws Exception {
        token(request -> data("null").cutAfter("{\"da"));
        Trouble trouble = Troubles.of(() -> client.send(Call.of(method, "nodes/pve1/qemu/122/config", Map.of("onboot", "1"))));
        assertThat(trouble.kind().unreachable()).isTrue();
        assertThat(trouble.what()).contains("not known whether it was made");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aWriteWithoutAnAnswerInTimeIsOpenToo() throws Exception {
        limits = TestLimits.BRIEF;
        token(request -> Reply.stalling());
        Trouble trouble = Troubles.of(() -> client.send(Call.of(Method.POST, "nodes/pve1/qemu/122/config", Map.of("a", "b"))));
        assertThat(trouble.kind()).isEqualTo(Kind.TIMEOUT);
        assertThat(trouble.what()).contains("not known whether it was made");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aReadThatIsCutIsAskedOnceMore() throws Exception {
        Iterator<Reply> replies = List.of(data("[1]").cutAfter("{\"da"), data("[2]")).iterator();
        token(request -> replies.next());
        assertThat(client.get("nodes").path(0).asInt()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "500 | only root can set 'hostpci0' config for non-mapped devices | RIGHTS | only root@pam with a password may set",
            "500 | checksum mismatch (file change by other user?) | REMOTE | somebody else has changed the VM",
            "500 | VM is locked (backup) | REMOTE | locked by a running backup",
            "403 | Permission check failed (/vms/100, VM.PowerMgmt) | RIGHTS | the right VM.PowerMgmt on /vms/100 is missing",
            "595 | No route to host | CONNECT | the node does not answer the others",
            "596 | no such cluster node 'PVE2' | MISSING | no node of this name",
            "596 | tls_process_server_certificate: certificate verify failed | TIMEOUT | the node could not be asked",
            "599 | Too many redirections | TIMEOUT | the node could not be asked",
            "500 | something that nobody has met | REMOTE | Proxmox reports an error: something that nobody has met",
    })
    void aRefusalIsOneSentenceEvenIfItsTextIsInTheReasonOnly(int status, String reason, Kind kind, String part)
            throws Exception {
        token(request -> Reply.reasonOnly(status, reason));
        Trouble trouble = Troubles.of(() -> client.send(Call.of(Method.PUT, "nodes/pve2/qemu/100/config", Map.of("a", "b"))));
        assertThat(trouble.kind()).isEqualTo(kind);
        assertThat(trouble.what()).contains(part);
        assertThat(trouble.where()).startsWith("pve2 through 127.0.0.1:");
    }

    @Test
    void wrongParametersAreNamed() throws Exception {
        token(request -> Reply.of(400, "Parameter verification failed.", "application/json",
                "{\"data\":null,\"errors\":{\"vmid\":\"value must have a minimum value of 100\\n\"}}"));
        assertThat(Troubles.of(() -> client.get("nodes/pve1/qemu/1/config")).what())
                .contains("vmid: value must have a minimum value of 100");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "501 | Method 'GET /cluster/mapping/pci' not implemented",
            "403 | Permission check failed (/, Sys.Audit)",
            "500 | no such resource 'vm:100'",
            "500 | Configuration file 'nodes/pve1/qemu-server/100.conf' does not exist",
    })
    void whatIsNotThereOrNotAllowedIsEmpty(int status, String reason) throws Exception {
        token(request -> Reply.reasonOnly(status, reason));
        assertThat(client.ifThere("cluster/mapping/pci")).isEmpty();
    }

    @Test
    void aFailureIsNotTakenForAbsence() throws Exception {
        token(request -> Reply.reasonOnly(500, "got timeout"));
        assertThat(Troubles.of(() -> client.ifThere("cluster/backup")).kind()).isEqualTo(Kind.REMOTE);
    }

    @Test
    void aTicketsWritesCarryItsGuard() throws Exception {
        open(new ProxmoxAccess.Password("root@pam", REF), request -> request.path().endsWith("access/ticket")
                ? data("{\"ticket\":\"PVE:root@pam:65A1B2C3::c2ln\",\"CSRFPreventionToken\":\"65A1B2C3:guard\"}") : data("null"));
        client.send(Call.of(Method.PUT, "nodes/pve1/qemu/122/config", Map.of("hostpci0", "host=0000:01:00,pcie=1")));
        Request write = server.requests().getLast();
        assertThat(write.header("CSRFPreventionToken")).isEqualTo("65A1B2C3:guard");
        assertThat(write.header("Cookie")).isEqualTo("PVEAuthCookie=PVE%3Aroot%40pam%3A65A1B2C3%3A%3Ac2ln");
        assertThat(write.body()).isEqualTo("hostpci0=host%3D0000%3A01%3A00%2Cpcie%3D1");
        assertThat(client.caller()).isEqualTo(new Caller("root@pam", false)).returns(true, Caller::root);
    }

    @Test
    void aTokenIsNeverRoot() throws Exception {
        token(request -> data("null"));
        assertThat(client.caller()).isEqualTo(new Caller("pitwall@pve!desk", true)).returns(false, Caller::root);
    }

    /** Answers a task's status and log, page by page. */
    private void task(List<String> statuses, List<String> pages) throws Exception {
        Iterator<String> status = statuses.iterator();
        Iterator<String> page = pages.iterator();
        token(request -> data(request.path().startsWith(TASK + "status") ? status.next() : page.next()));
    }

    @Test
    void aTaskIsFollowedOnItsOwnNodeToItsEnd() throws Exception {
        task(List.of("{\"status\":\"running\"}", "{\"status\":\"running\"}", "{\"status\":\"stopped\",\"exitstatus\":\"OK\"}"),
                List.of("[{\"n\":1,\"t\":\"no content\"}]", "[{\"n\":1,\"t\":\"one\"},{\"n\":2,\"t\":\"two\"}]",
                        "[{\"n\":3,\"t\":\"TASK OK\"}]"));
        List<String> lines = new ArrayList<>();
        TaskEnd end = client.await(UPID, LONG, lines::add);
        assertThat(end).isEqualTo(new TaskEnd(true, "OK", List.of("one", "two", "TASK OK"), Optional.empty()));
        assertThat(lines).isEqualTo(end.log());
        assertThat(server.requests().getLast().path()).startsWith(TASK + "log?").contains("start=2").contains("limit=500");
    }

    @Test
    void warningsAreASuccess() throws Exception {
        task(List.of("{\"status\":\"stopped\",\"exitstatus\":\"WARNINGS: 1\"}"), List.of("""
                [{"n":1,"t":"error writing '1' to '/sys/bus/pci/devices/0000:01:00.0/reset': Inappropriate ioctl for device"},
                {"n":2,"t":"failed to reset PCI device '0000:01:00.0', but trying to continue as not all devices need a reset"},
                {"n":3,"t":"TASK WARNINGS: 1"}]"""));
        TaskEnd end = client.await(UPID, LONG, line -> { });
        assertThat(end.ok()).isTrue();
        assertThat(end.why()).isEmpty();
    }

    @Test
    void anExitThatSaysLittleIsExplainedByTheLineBeforeIt() throws Exception {
        task(List.of("{\"status\":\"stopped\",\"exitstatus\":\"start failed: QEMU exited with code 1\"}"), List.of("""
                [{"n":1,"t":"failed to reset PCI device '0000:01:00.0', but trying to continue as not all devices need a reset"},
                {"n":2,"t":"kvm: -device vfio-pci,host=0000:01:00.0: vfio 0000:01:00.0: group 14 is not viable"},
                {"n":3,"t":"TASK ERROR: start failed: QEMU exited with code 1"}]"""));
        TaskEnd end = client.await(UPID, LONG, line -> { });
        assertThat(end.ok()).isFalse();
        Trouble why = Troubles.fit(end.why().orElseThrow());
        assertThat(why.what()).isEqualTo("a device of IOMMU group 14 still has a driver of the host");
        assertThat(why.where()).startsWith("pve2 through ");
    }

    @Test
    void anEndThatNobodyKnowsIsSaidAsItIs() throws Exception {
        task(List.of("{\"status\":\"stopped\",\"exitstatus\":\"command 'xyz' failed: exit code 7\"}"),
                List.of("[{\"n\":1,\"t\":\"TASK ERROR: command 'xyz' failed: exit code 7\"}]"));
        Trouble why = Troubles.fit(client.await(UPID, LONG, line -> { }).why().orElseThrow());
        assertThat(why.what()).isEqualTo("the task qmstart 122 ended with: command 'xyz' failed: exit code 7");
    }

    @Test
    void aTaskThatTakesTooLongIsATrouble() throws Exception {
        token(request -> request.path().startsWith(TASK + "status") ? data("{\"status\":\"running\"}") : data("[]"));
        Trouble trouble = Troubles.of(() -> client.await(UPID, Duration.ofMillis(200), line -> { }));
        assertThat(trouble.kind()).isEqualTo(Kind.TIMEOUT);
        assertThat(trouble.what()).contains("qmstart 122");
    }

    @Test
    void aTaskGoesOnWhileItsApiIsAwayForAMoment() throws Exception {
        Iterator<Reply> status = List.of(Reply.reasonOnly(596, "Broken pipe"),
                data("{\"status\":\"stopped\",\"exitstatus\":\"OK\"}")).iterator();
        token(request -> request.path().startsWith(TASK + "status") ? status.next() : data("[]"));
        assertThat(client.await(UPID, LONG, line -> { }).ok()).isTrue();
    }

    @Test
    void whatNamesNoTaskIsNotAwaited() throws Exception {
        token(request -> data("null"));
        assertThat(Troubles.of(() -> client.await("4711", LONG, line -> { })).kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(server.requests()).isEmpty();
    }
}
