import { Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api, type Schemas, versionOf } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'

type VariablePanelProps = {
  computer: Schemas['Computer']
  variable: Schemas['FoundVariableValue']
  onClose: () => void
}

/** Sets or removes the value that the computer itself has, unless somebody has changed it meanwhile. */
export function VariablePanel({ computer, variable, onClose }: VariablePanelProps) {
  const { variables: texts } = useTexts().computer
  const { id, hostname } = computer
  const { varId, dottedName, isSecret, source } = variable
  const path = { id, varId }
  const versionKey = ['version of variable', id, varId]
  const [typed, setTyped] = useState<string>()
  const [isInherited, setIsInherited] = useState(false)
  const own = useQuery({
    queryKey: versionKey,
    queryFn: () => versionOf(api.GET('/api/computer/{id}/variables/{varId}', { params: { path } })),
    gcTime: 0,
    // Not current by itself: the service compares what the person has seen.
    staleTime: Infinity,
  })
  const etag = own.data?.etag
  const shown = typed ?? own.data?.value.value ?? variable.value ?? ''
  const value = isInherited ? null : shown
  const Field = isSecret ? PasswordInput : TextInput
  const form = (
    <Stack gap="sm">
      <Field
        label={texts.value(dottedName)}
        description={isSecret ? texts.secretHint : undefined}
        value={isInherited ? '' : shown}
        disabled={isInherited}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {source === 'computer' && (
        <Checkbox
          label={texts.remove}
          checked={isInherited}
          onChange={(event) => setIsInherited(event.currentTarget.checked)}
        />
      )}
    </Stack>
  )
  return (
    <ReviewPanel
      isOpen
      onClose={onClose}
      action={{
        title: texts.editTitle(dottedName),
        label: texts.save,
        form,
        isComplete: etag !== undefined && (isInherited || typed !== undefined),
        requestKey: { value, etag },
        ...(etag !== undefined && { etag }),
        send: ({ uncounted: query, headers }) =>
          api.PUT('/api/computer/{id}/variables/{varId}', {
            params: { path, query, header: headers },
            body: { value },
          }),
        describe: () => describe(),
        done: () => ({ text: texts.saved(dottedName) }),
        refreshes: [versionKey, computerKey(id)],
      }}
    />
  )

  function describe(): string {
    if (isInherited) return texts.describeRemove(hostname)
    const forced = source === 'forced' ? ` ${texts.describeForced(variable.sourceGroupPath ?? '')}` : ''
    if (isSecret) return texts.describeSecret(dottedName, hostname) + forced
    return texts.describe(dottedName, hostname, own.data?.value.value ?? variable.value, shown) + forced
  }
}
