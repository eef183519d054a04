import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LocalPrincipal, Versioned } from '../../api/client.ts'
import { localPrincipalsKey, stateOf } from '../../api/principal-list.ts'
import { type LocalValues, type PrincipalResource, setRevoked } from '../../api/principals.ts'
import { PrincipalBadges } from '../../components/principal-badges.tsx'
import { usePrincipalTexts } from '../../texts/principal-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import type { Difference } from './differences.tsx'
import { EditorPage } from './editor-page.tsx'
import { differencesOf, LocalFields, useLocalFields } from './fields.tsx'
import { Secrets } from './secrets.tsx'
import { type Editor, useEditor } from './use-editor.ts'

type LocalEditorProps = { resource: PrincipalResource<LocalPrincipal, LocalValues>; loaded: Versioned<LocalPrincipal> }

export function LocalEditor({ resource, loaded }: LocalEditorProps) {
  const texts = useTexts()
  const own = usePrincipalTexts()
  const queryClient = useQueryClient()
  const editor = useEditor(resource, loaded, () => {
    notifications.show({ message: texts.common.saved })
    void queryClient.invalidateQueries({ queryKey: localPrincipalsKey })
  })
  const { value } = editor.base
  const { theirs } = editor
  const fields = useLocalFields()
  const state = (principal: LocalPrincipal) => texts.principals.states[stateOf(principal)]
  const compare = (before: LocalPrincipal, now: LocalPrincipal) => [
    ...(before.isRevoked === now.isRevoked
      ? []
      : [{ label: texts.principals.columns.state, before: state(before), now: state(now) }]),
    ...differencesOf(fields, resource.toValues(before), resource.toValues(now)),
  ]
  const name = value.description || value.clientId
  return (
    <EditorPage
      editor={editor}
      resource={resource}
      principal={{ id: value.id, name, identifier: value.clientId, isProtected: value.protected }}
      listKey={localPrincipalsKey}
      badges={<PrincipalBadges state={stateOf(value)} isProtected={value.protected} />}
      details={[
        [texts.principals.columns.kind, texts.principals.kinds.local],
        [own.clientId, value.clientId],
      ]}
      createdAt={value.createdAtUtc}
      lastUsedAt={value.lastUsedUtc}
      aside={<Secrets principalId={value.id} />}
      actions={<RevokeOrRestore editor={editor} name={name} compare={compare} />}
      fields={fields}
      compare={compare}
      conflictNote={theirs && theirs.value.isRevoked !== value.isRevoked ? state(theirs.value) : undefined}
    >
      <LocalFields form={editor.form} />
    </EditorPage>
  )
}

type RevokeOrRestoreProps = {
  editor: Editor<LocalPrincipal, LocalValues>
  name: string
  compare: (before: LocalPrincipal, now: LocalPrincipal) => Difference[]
}

function RevokeOrRestore({ editor, name, compare }: RevokeOrRestoreProps) {
  const principal = usePrincipalTexts()
  const queryClient = useQueryClient()
  const { id, isRevoked: isRevokedNow } = editor.base.value
  // The dialog refers to the state at the time it was opened.
  const [{ isOpen, isRevoked }, setQuestion] = useState({ isOpen: false, isRevoked: isRevokedNow })
  const [label, title, text, done] = isRevoked
    ? [principal.restore, principal.restoreTitle(name), principal.restoreText, principal.restored]
    : [principal.revoke, principal.revokeTitle(name), principal.revokeText, principal.revoked]
  return (
    <>
      <Button variant="default" onClick={() => setQuestion({ isOpen: true, isRevoked: isRevokedNow })}>
        {isRevokedNow ? principal.restore : principal.revoke}
      </Button>
      <ChangeDialog
        isOpen={isOpen}
        editor={editor}
        compare={compare}
        title={title}
        text={text}
        confirmLabel={label}
        isDangerous={!isRevoked}
        change={async (etag) => {
          editor.rebase(await setRevoked(id, !isRevoked, etag))
          notifications.show({ message: done })
          await queryClient.invalidateQueries({ queryKey: localPrincipalsKey })
        }}
        onClose={() => setQuestion({ isOpen: false, isRevoked })}
      />
    </>
  )
}
