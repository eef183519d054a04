/** How long a variable may be on a platform, with its name. */
export type VariableLimit = { max: number; unit: string; lengthOf(variable: string): number }

/** Throws if a process cannot get one of the variables as it is. The value may be a secret, so the message has only the name. */
export function requirePassable(environment: NodeJS.ProcessEnv, { max, unit, lengthOf }: VariableLimit): void {
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue
    const variable = `${name}=${value}\0`
    if (variable.indexOf('\0') < variable.length - 1)
      throw new Error(`the variable ${name} contains a NUL character, which no variable of a process can have`)
    const length = lengthOf(variable)
    if (length > max)
      throw new Error(`the variable ${name} has ${length} ${unit} with its name, and this system allows ${max}`)
  }
}
