/** The first administrator of every service that tests and benchmarks start. */
export const administrator = { clientId: 'administrator', clientSecret: 'the-secret-that-the-environment-gave' }
