/**
 * How many cases a property is tried with, or how often something is killed. Each run of the tests generates other cases, so
 * a few of each property are enough. MUSTER_MODEL_RUNS asks for more, for example after a change of what a model describes.
 */
export const modelRuns = (usual: number): number => Number(process.env.MUSTER_MODEL_RUNS ?? usual)
