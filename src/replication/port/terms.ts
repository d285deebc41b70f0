// When this process writes the log, and what it does only then: it runs feeds and sends alerts.

export interface Terms {
  begin(): void;
  /** Settles when it is over. */
  end(): Promise<void>;
}

export interface Writer {
  /** It writes the log now. */
  readonly leads: boolean;
  /** Told of the beginnings and ends of its terms; to be called once. */
  duringTerms(terms: Terms): void;
}

/** A process that writes the log from its start to its end. */
export const ALWAYS: Writer = { leads: true, duringTerms: (terms) => terms.begin() };
export const NEVER: Writer = { leads: false, duringTerms: () => undefined };
