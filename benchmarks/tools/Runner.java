import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;

/**
 * ORIGINAL RELEASE K HIERARCHIES COLUMN... limit=SHARE | local=STEPS: ARX's optimum of the loss metric, one level of
 * each hierarchy, or its local recoding in so many steps. One run to warm up, then one that is timed. The last column is
 * published as it is.
 */
public class Runner {
    public static void main(String[] said) throws Exception {
        run(said);
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long start = System.nanoTime();
        long cpu = system.getProcessCpuTime();
        DataHandle output = run(said);
        double wall = (System.nanoTime() - start) / 1e9;
        System.out.println("RESULT " + wall + " " + (system.getProcessCpuTime() - cpu) / 1e9);
        output.save(said[1], ',');
    }

    private static DataHandle run(String[] said) throws Exception {
        Data data = Data.create(new File(said[0]), StandardCharsets.UTF_8, ',');
        int last = said.length - 2;
        String[] mode = said[last + 1].split("=");
        boolean isLocal = mode[0].equals("local");
        double number = Double.parseDouble(mode[1]);
        for (int i = 4; i < last; i++) {
            File tree = new File(said[3], "adult_hierarchy_" + said[i] + ".csv");
            data.getDefinition().setAttributeType(said[i], Hierarchy.create(tree, StandardCharsets.UTF_8, ';'));
        }
        data.getDefinition().setAttributeType(said[last], AttributeType.INSENSITIVE_ATTRIBUTE);
        ARXConfiguration config = ARXConfiguration.create();
        config.addPrivacyModel(new KAnonymity(Integer.parseInt(said[2])));
        config.setSuppressionLimit(isLocal ? 1 - 1 / number : number);
        config.setQualityModel(isLocal ? Metric.createLossMetric(0) : Metric.createLossMetric());
        ARXResult result = new ARXAnonymizer().anonymize(data, config);
        DataHandle output = result.getOutput();
        if (isLocal) {
            result.optimizeIterativeFast(output, 1 / number);
        }
        return output;
    }
}
