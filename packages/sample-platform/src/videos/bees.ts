import type { SampleVideo } from '../sample-video.ts'
import { timeTalk } from '../talk.ts'

const talk = timeTalk(
  [
    {
      title: 'Zehntausend ohne Chef',
      lines: [
        'Stellen Sie sich vor, zehntausend Menschen müssten gemeinsam ein Haus suchen.',
        'Niemand hat das Sagen, und die Entscheidung muss in wenigen Tagen fallen.',
        'Genau diese Aufgabe lösen Honigbienen, jedes Jahr im Frühling.',
        'Wenn ein Volk zu groß wird, zieht die alte Königin mit der Hälfte der Bienen aus.',
        'Der Schwarm hängt dann wie eine Traube an einem Ast.',
        'Die Königin befiehlt dabei nichts. Sie wartet wie alle anderen.',
      ],
    },
    {
      title: 'Die Wohnungssuche',
      lines: [
        'Einige hundert erfahrene Bienen werden nun zu Kundschafterinnen.',
        'Sie fliegen in alle Richtungen und untersuchen hohle Bäume.',
        'Ihre Wünsche sind erstaunlich genau.',
        'Die Höhle soll etwa vierzig Liter fassen, damit der Vorrat für den Winter hineinpasst.',
        'Das Flugloch soll klein sein, nach Süden zeigen und hoch über dem Boden liegen.',
        'Eine Kundschafterin läuft die Wände innen ab, um die Größe abzuschätzen.',
        'Dann kehrt sie zum Schwarm zurück und berichtet.',
      ],
    },
    {
      title: 'Ein Tanz mit Adresse',
      lines: [
        'Der Bericht ist ein Tanz, den Karl von Frisch entschlüsselt hat.',
        'Dafür bekam er 1973 den Nobelpreis.',
        'Die Biene läuft eine kurze Strecke geradeaus und wackelt dabei mit dem Hinterleib.',
        'Der Winkel zur Senkrechten gibt die Richtung an, bezogen auf die Sonne.',
        'Die Dauer des Wackelns gibt die Entfernung an.',
        'Und wie oft sie den Tanz wiederholt, verrät, wie gut ihr der Ort gefällt.',
        'Sein Schüler Martin Lindauer sah nach dem Krieg einen Schwarm mit seltsam schmutzigen Tänzerinnen.',
        'Sie waren voller Ruß und Ziegelstaub: Sie warben nicht für Blüten, sondern für Wohnungen.',
      ],
    },
    {
      title: 'Wie aus Streit Einigkeit wird',
      lines: [
        'Zuerst wird für viele Orte zugleich getanzt. Das sieht nach Chaos aus.',
        'Aber jede Biene, die einem Tanz folgt, fliegt selbst hin und prüft nach.',
        'Niemand übernimmt eine Meinung, ohne den Ort gesehen zu haben.',
        'Für gute Orte wird länger getanzt, also kommen dort mehr Prüferinnen an.',
        'Und noch etwas ist wichtig: Der Eifer lässt bei jeder Biene von selbst nach.',
        'Keine beharrt. Nach einigen Flügen hört sie auf, auch wenn ihr Ort der beste war.',
        'So verschwinden schwache Vorschläge, ohne dass jemand sie widerlegen muss.',
        'Manchmal bremsen sich die Lager auch gegenseitig, mit einem kurzen Stoß des Kopfes.',
        'Dieses Stoppsignal verhindert, dass zwei gleich gute Orte sich ewig die Waage halten.',
      ],
    },
    {
      title: 'Die Abstimmung',
      lines: [
        'Gezählt wird nicht am Schwarm, sondern am neuen Ort.',
        'Der Biologe Thomas Seeley fand heraus, worauf es ankommt.',
        'Sind dort etwa zwanzig bis dreißig Kundschafterinnen zugleich, ist die Schwelle erreicht.',
        'Dann kehren sie zurück und geben ein hohes Pfeifen von sich.',
        'Alle wärmen ihre Flugmuskeln, und nach ungefähr einer Stunde hebt der Schwarm ab.',
        'In Versuchen wählten die Schwärme fast immer die beste der angebotenen Kisten.',
      ],
    },
    {
      title: 'Was wir lernen können',
      lines: [
        'Seeley hat daraus Regeln für Sitzungen gemacht.',
        'Sorgen Sie für viele Vorschläge, und zwar von verschiedenen Leuten.',
        'Lassen Sie jeden selbst prüfen, statt Meinungen nachzusprechen.',
        'Halten Sie die Leitung klein: Sie ordnet das Gespräch, aber sie lenkt es nicht.',
        'Und entscheiden Sie, wenn genug Menschen überzeugt sind, nicht erst, wenn es alle sind.',
        'Die Bienen machen das seit Millionen Jahren. Vielen Dank.',
      ],
    },
  ],
  15,
)

export const BEES: SampleVideo = {
  id: 'sbtx-de-bie',
  title: 'Wie Bienen abstimmen',
  language: 'de',
  purpose: 'German talk with chapters: a manual track only',
  author: 'Subtext Beispielvorträge',
  channelId: 'UCsubtextBeispielvortrag',
  description: `Schwarmdemokratie in vier Minuten.\n\nKapitel\n${talk.chapterList}\n\nEigens für Vorführungen geschrieben.`,
  lengthSeconds: talk.lengthSeconds,
  published: '2026-05-11T17:45:00-00:00',
  viewCount: 9_312,
  tracks: [{ language: 'de', kind: 'manual', name: 'German', cues: () => talk.cues }],
}
