import koffi from '../koffi.ts'

/** A function of a DLL. Handles, numbers and booleans are all numbers. */
type NativeFunction = ((...args: unknown[]) => number) & {
  async(...args: [...unknown[], callback: (error: Error | null, result: number) => void]): void
}

type Declarations = Record<string, readonly [result: string, ...parameters: string[]]>

/** The functions of a DLL. Each is bound at its first use, so one that is absent affects nothing else. */
export function library<T extends Declarations>(file: string, declared: T): Record<keyof T, NativeFunction> {
  const functions = {} as Record<keyof T, NativeFunction>
  for (const [name, [result, ...parameters]] of Object.entries(declared))
    Object.defineProperty(functions, name, {
      configurable: true,
      get() {
        const bound = koffi.load(file).func('__stdcall', name, result, parameters)
        Object.defineProperty(functions, name, { value: bound })
        return bound
      },
    })
  return functions
}
