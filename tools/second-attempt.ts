/**
 * Tests with real processes, locks and browsers may miss a deadline on a machine that is busy. Such a test is run once more, and
 * named at the end of the run. A property that a generated case breaks is not: the next run would generate other cases.
 */
export const secondAttempt = { count: 1, condition: /^(?!Property failed)/ }
