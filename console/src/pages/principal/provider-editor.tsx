import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import type { ProviderPrincipal, Versioned } from '../../api/client.ts'
import { providerPrincipalsKey } from '../../api/principal-list.ts'
import type { PrincipalResource, ProviderValues } from '../../api/principals.ts'
import { PrincipalBadges } from '../../components/principal-badges.tsx'
import { usePrincipalTexts } from '../../texts/principal-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { EditorPage } from './editor-page.tsx'
import { differencesOf, ProviderFields, useProviderFields } from './fields.tsx'
import { useEditor } from './use-editor.ts'

type ProviderEditorProps = {
  resource: PrincipalResource<ProviderPrincipal, ProviderValues>
  loaded: Versioned<ProviderPrincipal>
}

export function ProviderEditor({ resource, loaded }: ProviderEditorProps) {
  const texts = useTexts()
  const own = usePrincipalTexts()
  const queryClient = useQueryClient()
  const editor = useEditor(resource, loaded, () => {
    notifications.show({ message: texts.common.saved })
    void queryClient.invalidateQueries({ queryKey: providerPrincipalsKey })
  })
  const { value } = editor.base
  const fields = useProviderFields()
  return (
    <EditorPage
      editor={editor}
      resource={resource}
      principal={{
        id: value.id,
        name: value.displayName || value.subjectId,
        identifier: value.subjectId,
        isProtected: value.protected,
      }}
      listKey={providerPrincipalsKey}
      badges={<PrincipalBadges state="active" isProtected={value.protected} />}
      details={[
        [texts.principals.columns.kind, texts.principals.kinds[value.subjectType]],
        [own.subjectId, value.subjectId],
      ]}
      lastUsedAt={value.lastUsedUtc}
      fields={fields}
      compare={(before, now) => differencesOf(fields, resource.toValues(before), resource.toValues(now))}
    >
      <ProviderFields form={editor.form} />
    </EditorPage>
  )
}
