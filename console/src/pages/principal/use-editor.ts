import { type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import type { Versioned } from '../../api/client.ts'
import type { PrincipalResource } from '../../api/principals.ts'
import { hasStatus } from '../../api/problem.ts'
import { useSaving } from '../../components/use-saving.ts'

export type Editor<Dto, Values extends object> = {
  /** The version the form was filled from. */
  base: Versioned<Dto>
  form: UseFormReturnType<Values>
  saving: ReturnType<typeof useSaving<Values>>
  /** The version that someone else has saved in the meantime, until the conflict is resolved. */
  theirs: Versioned<Dto> | undefined
  /** Fills the form from a version, which becomes the new base. */
  accept: (version: Versioned<Dto>) => void
  /** Sets a new base that differs only by changes made on this page; input is kept. */
  rebase: (version: Versioned<Dto>) => void
  /** Postpones the decision: the form is unchanged, and the next save asks again. */
  postpone: () => void
  /** Saves the values on top of the other version. */
  overrule: (values: Values) => void
  /** Applies a change to the version on screen. Returns the current version instead if someone else has changed it. */
  onBase: (change: (etag: string) => Promise<unknown>) => Promise<Versioned<Dto> | undefined>
}

/** Edits a resource that others may edit at the same time: no change is overwritten unseen. */
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

  const saveOver = async (values: Values, version: Versioned<Dto>) => {
    try {
      accept(await resource.save(values, version.etag))
      onSaved()
    } catch (error) {
      if (!hasStatus(error, 412)) throw error
      const newest = await resource.load()
      // The values already contain the changes of that version: they are not merged a second time.
      setBase(version)
      form.setInitialValues(resource.toValues(version.value))
      setTheirs(newest)
    }
  }
  const saving = useSaving(form, (values) => saveOver(values, theirs ?? base))

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
        return undefined
      } catch (error) {
        if (!hasStatus(error, 412)) throw error
        const current = await resource.load()
        if (form.isDirty()) setTheirs(current)
        else accept(current)
        return current
      }
    },
  }
}
