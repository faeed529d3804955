package m0.views;

import m0.http.Form;
import m0.http.ProblemException;
import m0.http.Request;

/**
 * The parameters of a request's query, as a view reads them: what cannot be used is a 400 problem
 * that names the parameter and what it takes.
 *
 * <p>Threads: any; it is immutable and holds nothing of the request.
 */
public final class Query {
    private final Form fields;

    private Query(Form fields) {
        this.fields = fields;
    }

    public static Query of(Request request) throws ProblemException {
        return new Query(Form.query(request));
    }

    /** The first value of that name; {@code absent} where there is none. */
    public String text(String name, String absent) {
        return fields.text(name, absent);
    }

    /**
     * A whole number.
     *
     * @param min the least it may be
     * @param max the most it may be
     * @param absent the number where there is no such parameter
     */
    public int number(String name, int min, int max, int absent) throws ProblemException {
        String text = fields.text(name, null);
        if (text == null) {
            return absent;
        }
        // A sign or a digit of another script would be read too.
        if (text.matches("-?[0-9]{1,10}")) {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return (int) number;
            }
        }
        throw new ProblemException(400, "The parameter " + name + " is a number from " + min
                + " to " + max + ".");
    }
}
