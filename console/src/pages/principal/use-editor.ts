import { type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import type { Versioned } from '../../api/client.ts'
import type { PrincipalResource } from '../../api/principals.ts'
import { hasStatus } from '../../api/problem.ts'
import { useSaving } from '../../components/use-saving.ts'

export type Editor<Dto, Values extends object> = {
  /** What the form was filled from. */
  base: Versioned<Dto>
  form: UseFormReturnType<Values>
  saving: ReturnType<typeof useSaving<Values>>
  /** What somebody else has saved in the meantime, until it is decided what is to be kept. */
  theirs: Versioned<Dto> | undefined
  /** Fills the form from a version, and goes on from there. */
  accept: (version: Versioned<Dto>) => void
  /** Goes on from a version that only differs from the base by what was done here; what is typed stays. */
  rebase: (version: Versioned<Dto>) => void
  /** Leaves the decision for later: the form stays as it is, and the next save asks again. */
  postpone: () => void
  /** Saves the values over the version of somebody else. */
  overrule: (values: Values) => void
  /** Runs a change on the version that is shown; false when somebody else was faster. */
  onBase: (change: (etag: string) => Promise<unknown>) => Promise<boolean>
}

/** Edits a resource that somebody else may be editing, too: nobody's change is overwritten unseen. */
export function useEditor<Dto, Values extends object>(
  resource: PrincipalResource<Dto, Values>,
  loaded: Versioned<Dto>,
  onSaved: () => void,
): Editor<Dto, Values> {
  const [base, setBase] = useState(loaded)
  const [theirs, setTheirs] = useState<Versioned<Dto>>()
  const form = useForm<Values>({ initialValues: resource.toValues(loaded.value) })

  const accept = (version: Versioned<Dto>) => {
    const values = resource.toValues(version.value)
    setBase(version)
    setTheirs(undefined)
    form.setInitialValues(values)
    form.setValues(values)
  }

  const saveOver = async (values: Values, etag: string) => {
    try {
      accept(await resource.save(values, etag))
      onSaved()
    } catch (error) {
      if (!hasStatus(error, 412)) throw error
      setTheirs(await resource.load())
    }
  }
  const saving = useSaving(form, (values) => saveOver(values, (theirs ?? base).etag))

  return {
    base,
    form,
    saving,
    theirs,
    accept,
    rebase: setBase,
    postpone: () => setTheirs(undefined),
    overrule(values) {
      form.setValues(values)
      saving.save(values)
    },
    async onBase(change) {
      try {
        await change(base.etag)
        return true
      } catch (error) {
        if (!hasStatus(error, 412)) throw error
        const current = await resource.load()
        if (form.isDirty()) setTheirs(current)
        else accept(current)
        return false
      }
    },
  }
}
