package dev.pitwall.journey.survey;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GrantsTest {

    @Test
    void theNearestPathAboveCountsWithWhatItHandsDown() throws JsonProcessingException {
        Grants grants = Grants.of(new ObjectMapper().readTree("""
                {"/": {"Sys.Audit": 1}, "/vms": {"VM.Audit": 1, "VM.PowerMgmt": "0"},
                 "/vms/122": {"VM.Audit": 0, "VM.Config.CPU": true}}"""));

        assertThat(grants.holds("/vms/100", "VM.Audit")).isTrue();
        assertThat(grants.holds("/vms/100", "VM.PowerMgmt")).isFalse();
        assertThat(grants.holds("/vms", "VM.PowerMgmt")).isTrue();
        assertThat(grants.holds("/vms/122", "VM.Audit")).isTrue();
        assertThat(grants.holds("/vms/122", "VM.Config.CPU")).isTrue();
        assertThat(grants.holds("/vms/100", "Sys.Audit")).isFalse();
        assertThat(grants.holds("/nodes/pve1", "Sys.Audit")).isTrue();
        assertThat(grants.holds("/nodes/pve1", "Sys.Modify")).isFalse();
    }

    @Test
    void rootMayDoEverything() {
        assertThat(Grants.ALL.holds("/mapping/pci", "Mapping.Modify")).isTrue();
    }
}
