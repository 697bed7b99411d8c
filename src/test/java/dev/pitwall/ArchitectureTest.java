package dev.pitwall;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.stream.Collectors;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/** The arrows of docs/ARCHITECTURE.md. */
class ArchitectureTest {
    private static final String[] DOMAIN = {"dev.pitwall.card..", "dev.pitwall.site..", "dev.pitwall.read..",
            "dev.pitwall.journey..", "dev.pitwall.doctor..", "dev.pitwall.engine..", "dev.pitwall.claims.."};

    private static JavaClasses classes;

    @BeforeAll
    static void importClasses() {
        classes = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.pitwall");
    }

    @Test
    void theDomainKnowsNoAdapterAndNoToolkit() {
        noClasses().that().resideInAnyPackage(DOMAIN).should().dependOnClassesThat().resideInAnyPackage(
                        "dev.pitwall.link..", "dev.pitwall.store..", "dev.pitwall.lab..", "dev.pitwall.ui..",
                        "dev.pitwall.cli..", "javafx..", "okhttp3..", "io.kubernetes..", "org.apache.sshd..",
                        "io.undertow..", "java.sql..")
                .because("the domain is plain Java and is tested without a toolkit or a socket")
                .allowEmptyShould(true).check(classes);
    }

    @Test
    void onlyTheWindowImportsJavaFx() {
        noClasses().that().resideOutsideOfPackage("dev.pitwall.ui..").should().dependOnClassesThat()
                .resideInAnyPackage("javafx..", "org.controlsfx..", "atlantafx..", "org.kordamp..")
                .because("everything else must run without a display").check(classes);
    }

    @Test
    void adaptersKnowTheDomainAndNotEachOther() {
        noClasses().that().resideInAPackage("dev.pitwall.link..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.pitwall.ui..", "dev.pitwall.cli..", "dev.pitwall.lab..", "dev.pitwall.store..")
                .allowEmptyShould(true).check(classes);
        noClasses().that().resideInAPackage("dev.pitwall.lab..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.pitwall.ui..", "dev.pitwall.cli..", "dev.pitwall.link..", "dev.pitwall.store..")
                .because("the lab must be a stranger to the clients that are tested against it").check(classes);
        noClasses().that().resideInAPackage("dev.pitwall.store..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.pitwall.ui..", "dev.pitwall.cli..", "dev.pitwall.link..", "dev.pitwall.lab..")
                .allowEmptyShould(true).check(classes);
    }

    @Test
    void nobodyLoadsTheGeneratedProtobufClasses() {
        noClasses().should().dependOnClassesThat().resideInAPackage("io.kubernetes.client.proto..")
                .because("each of them prints a warning of protobuf on standard error").check(classes);
    }

    @Test
    void windowAndCommandLineTalkToTheDomainOnly() {
        noClasses().that().resideInAPackage("dev.pitwall.ui..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.pitwall.link..", "dev.pitwall.lab..", "dev.pitwall.store..", "dev.pitwall.cli..")
                .because("nothing in the window asks which lab or store it talks to").allowEmptyShould(true)
                .check(classes);
    }

    @Test
    void theFeaturesFormNoCycle() {
        slices().matching("dev.pitwall.(*)..").should().beFreeOfCycles().check(classes);
    }

    @Test
    void thePartsOfTheLabsClusterFormNoCycle() {
        slices().matching("dev.pitwall.lab.kube.(**)").should().beFreeOfCycles()
                .because("each of them is built on those below it and can be read without those above").check(classes);
    }

    @Test
    void whoActsInTheLabsClusterKnowsTheStoreAndNotTheApiServer() {
        noClasses().that().resideInAnyPackage("dev.pitwall.lab.kube.control..", "dev.pitwall.lab.kube.schedule..",
                        "dev.pitwall.lab.kube.kubelet..", "dev.pitwall.lab.kube.exec..",
                        "dev.pitwall.lab.kube.operator..", "dev.pitwall.lab.kube.agent..", "dev.pitwall.lab.kube.seed..")
                .should().dependOnClassesThat().resideInAPackage("dev.pitwall.lab.kube.api..")
                .because("controllers and kubelets act on objects; only the API server speaks HTTP").check(classes);
        noClasses().that().resideInAnyPackage("dev.pitwall.lab.kube.api..", "dev.pitwall.lab.kube.admit..",
                        "dev.pitwall.lab.kube.rules..", "dev.pitwall.lab.kube.schema..")
                .should().dependOnClassesThat().resideInAnyPackage("dev.pitwall.lab.kube.control..",
                        "dev.pitwall.lab.kube.schedule..", "dev.pitwall.lab.kube.kubelet..")
                .because("the API server keeps objects and acts on none").check(classes);
    }

    @Test
    void oneClassHandsWorkToTheFxThread() {
        Set<String> callers = classes.stream().filter(c -> c.getMethodCallsFromSelf().stream()
                        .anyMatch(call -> call.getTarget().getFullName().startsWith(
                                "javafx.application.Platform.runLater")))
                .map(c -> c.getName().replaceFirst("\\$.*", "")).collect(Collectors.toSet());

        assertThat(callers).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void packagesAreNamedByFeature() {
        noClasses().should().resideInAnyPackage("..util..", "..utils..", "..helper..", "..helpers..", "..impl..",
                "..common..", "..manager..", "..managers..", "..services..", "..controllers..").check(classes);
    }
}
