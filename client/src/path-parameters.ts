import { defaultPathSerializer } from 'openapi-fetch'
import { MusterProblem } from './problem.ts'

/** Whether a value is one segment of a path. Addresses are normalised: `..` would lead to the path of another operation. */
export const isPathSegment = (value: unknown): boolean => !['', '.', '..'].includes(String(value))

/** Fills the parameters into a path. */
export const fillPath: typeof defaultPathSerializer = (path, parameters) => {
  for (const [name, value] of Object.entries(parameters))
    if (path.includes(`{${name}}`) && !isPathSegment(value))
      throw new MusterProblem({ code: 'InvalidParameter', detail: `"${value}" cannot be the ${name} in a path.` }, 400)
  return defaultPathSerializer(path, parameters)
}
