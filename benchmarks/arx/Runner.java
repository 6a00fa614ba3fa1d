import java.io.File;
import java.nio.charset.StandardCharsets;
import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;

/** ORIGINAL RELEASE HIERARCHIES K SUPPRESSION_LIMIT COLUMN...: one warm-up run, then one that is timed. */
public class Runner {
    public static void main(String[] said) throws Exception {
        run(said);
        long start = System.nanoTime();
        DataHandle output = run(said);
        System.out.println("RESULT " + (System.nanoTime() - start) / 1e9 + " " + (System.nanoTime() - start) / 1e9);
        output.save(said[1], ',');
    }

    private static DataHandle run(String[] said) throws Exception {
        Data data = Data.create(new File(said[0]), StandardCharsets.UTF_8, ',');
        for (int i = 5; i < said.length; i++) {
            File tree = new File(said[2], "adult_hierarchy_" + said[i] + ".csv");
            data.getDefinition().setAttributeType(said[i], Hierarchy.create(tree, StandardCharsets.UTF_8, ';'));
        }
        ARXConfiguration config = ARXConfiguration.create();
        config.addPrivacyModel(new KAnonymity(Integer.parseInt(said[3])));
        config.setSuppressionLimit(Double.parseDouble(said[4]));
        config.setQualityModel(Metric.createLossMetric());
        ARXResult result = new ARXAnonymizer().anonymize(data, config);
        return result.getOutput();
    }
}
