import { createContext, use } from 'react'
import { asProblem } from '../api/problem.ts'

type FieldError = ReturnType<typeof asProblem>['errors'][number]

/** What the API says is wrong with the values of a form. */
export class FieldReasons {
  readonly #errors: readonly FieldError[]
  /** The names of the fields that have asked, because they are shown. */
  readonly #fields = new Set<string>()

  constructor(error: unknown) {
    this.#errors = error ? asProblem(error).errors : []
  }

  reasonAt(field: string): string | undefined {
    this.#fields.add(field)
    const error = this.#errors.find(({ name }) => isAbout(field, name))
    return error && asSentence(error.reason)
  }

  isAtField({ name }: FieldError): boolean {
    return [...this.#fields].some((field) => isAbout(field, name))
  }
}

/** Whether a problem with `name`, such as `rings.0.percent` or `schedule.time`, is one of the field. */
function isAbout(field: string, name: string): boolean {
  return name === field || name.startsWith(`${field}.`) || (!field.includes('.') && name.endsWith(`.${field}`))
}

const asSentence = (reason: string) => `${reason.charAt(0).toUpperCase()}${reason.slice(1).replace(/\.$/, '')}.`

export const FieldReasonsContext = createContext<FieldReasons | undefined>(undefined)

/** The errors that stand at no field, so they must be shown elsewhere. */
export function useOtherErrors(errors: readonly FieldError[]): readonly FieldError[] {
  const reasons = use(FieldReasonsContext)
  return reasons ? errors.filter((error) => !reasons.isAtField(error)) : errors
}
