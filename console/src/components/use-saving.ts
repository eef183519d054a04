import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { asProblem } from '../api/problem.ts'

/** Saves a form. Problems of a field appear at the field, and input is never lost. */
export function useSaving<Values extends object>(
  form: UseFormReturnType<Values>,
  save: (values: Values) => Promise<unknown>,
) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: save,
    onError(failure) {
      const errors = asProblem(failure).errors.map(({ name, reason }) => [name.split('.')[0] ?? '', reason] as const)
      const ofFields = Object.fromEntries(errors.filter(([field]) => field in form.getValues()))
      form.setErrors(ofFields)
      focusFirst(ofFields)
    },
  })
  const focusFirst = (errors: object) => {
    const [first] = Object.keys(errors)
    if (first) form.getInputNode(first as never)?.focus()
  }
  return { submit: form.onSubmit((values) => mutate(values), focusFirst), save: mutate, error, isSaving: isPending }
}
