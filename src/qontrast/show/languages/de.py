"""German: the phrases of all sentences, headings and legends, under the keys of `en`.

Names stand in the nominative or after prepositions that do not change them; verbs agree with one or many.
"""

PHRASES: dict[str, str] = {
    "and": "{first} und {last}",
    "number.undefined": "nicht definiert",
    "number.about 0": "etwa 0",
    "amount": "{who} ({value})",
    "aside": ", {text}",
    "part.across": "die Wirkung der beiden Themen aufeinander",
    "part.base": "ihre Basiswerte",
    "part.others": "andere",
    # a contrast in one sentence
    "question": "Warum {fact} und nicht {foil}?",
    "question.behind": "Warum liegt {fact} hinter {foil}?",
    "rated.same": "{fact} ({own}) wird mit sich selbst verglichen; es bleibt nichts zu erklären",
    "rated.tied": "{fact} und {foil} liegen gleichauf bei {own}",
    "rated.ahead": "{fact} ({own}) liegt um {gap} vor {foil} ({other})",
    "rated.behind": "{fact} ({own}) liegt um {gap} hinter {foil} ({other})",
    "rated.close.ahead": "{fact} liegt um {gap} vor {foil} (beide bei rund {own})",
    "rated.close.behind": "{fact} liegt um {gap} hinter {foil} (beide bei rund {own})",
    "because": "; die wichtigsten Gründe: {reasons}",
    "counterweight": "; das stärkste Gegengewicht: {reasons}",
    "balance": "; {sides}",
    "speaks.one": "für {topic} spricht {reasons}",
    "speaks.many": "für {topic} sprechen {reasons}",
    "largest": "; die größten Beiträge nach der Methode {method}: {reasons}",
    "largest.values": "; die größten Werte ({what}): {reasons}",
    "relative": "; gegenüber {foil} gilt für {fact}: {moves}{condition}",
    "more.slope": "am schnellsten steigt es mit dem Basiswert von {reasons}",
    "more.slope.edges": "am schnellsten steigt es mit dem Gewicht von {reasons}",
    "more.slope.groups": "am schnellsten steigt es mit den Basiswerten von {reasons}",
    "less.slope": "am schnellsten fällt es mit dem Basiswert von {reasons}",
    "less.slope.edges": "am schnellsten fällt es mit dem Gewicht von {reasons}",
    "less.slope.groups": "am schnellsten fällt es mit den Basiswerten von {reasons}",
    "and less.slope": "am schnellsten fällt es mit dem von {reasons}",
    "and less.slope.edges": "am schnellsten fällt es mit dem von {reasons}",
    "and less.slope.groups": "am schnellsten fällt es mit denen von {reasons}",
    "more.loss": "am meisten verlöre es ohne {reasons}",
    "less.loss": "am meisten gewänne es ohne {reasons}",
    "and less.loss": "am meisten gewänne es ohne {reasons}",
    "base": "; nach den Basiswerten allein läge {first} um {gap} vorn",
    "kinks.short": "; keine Steigung (ein Knick) gibt es für {names}",
    # a contrast in a paragraph
    "same": "{fact} wird mit sich selbst verglichen; es bleibt nichts zu erklären.",
    "tied": "{fact} und {foil} liegen gleichauf bei {own}.",
    "ahead": "{fact} liegt vor {foil}: {own} gegen {other}, ein Abstand von {gap}.",
    "behind": "{fact} liegt hinter {foil}: {own} gegen {other}, ein Abstand von {gap}.",
    "close.ahead": "{fact} liegt um {gap} vor {foil}; beide liegen bei rund {own}.",
    "close.behind": "{fact} liegt um {gap} hinter {foil}; beide liegen bei rund {own}.",
    "start": "Nach den Basiswerten allein läge {first} um {gap} vorn.",
    "reasons": "{lead}: {one}; {other}.",
    "favour": "zugunsten von {topic}: {reasons}",
    "none": "keine",
    "none.kinks": "keine, die sich in einer einzigen Zahl angeben lassen",
    "lead": "Die größten Beiträge",
    "no reason": "Kein anderes Argument macht zwischen den beiden einen Unterschied.",
    "no reason.edges": "Keine Kante macht zwischen den beiden einen Unterschied.",
    "no reason.groups": "Keine Gruppe und kein anderes Argument macht zwischen den beiden einen Unterschied.",
    "no reason.sampled": "Kein anderes Argument lässt sich mit dieser Stichprobe von 0 unterscheiden.",
    "no reason.sampled.edges": "Keine Kante lässt sich mit dieser Stichprobe von 0 unterscheiden.",
    "no reason.sampled.groups": "Weder Gruppen noch andere Argumente lassen sich mit dieser Stichprobe von 0 "
    "unterscheiden.",
    "cancelling": "{who} ({on_fact} und {on_foil}, es bleibt {left})",
    "cancels.one": "Auf beide Themen gleichermaßen wirkt {reasons}; diese Wirkungen heben sich {almost}auf.",
    "cancels.many": "Auf beide Themen gleichermaßen wirken {reasons}; diese Wirkungen heben sich {almost}auf.",
    "almost": "fast ",
    "overlooked": "{who} (dort {on_fact}, bei {foil} {on_foil})",
    "overlook": "Wer nur {fact} betrachtet, übersieht {reasons}.",
    "across.one": "Ein Thema wirkt zudem auf das andere{note}: {moves}{adds}.",
    "across.many": "Die Themen wirken zudem aufeinander{note}: {moves}{adds}.",
    "across.move": "{source} verändert {target} um {change}",
    "across.share": "; das trägt {adds} zum Abstand bei",
    "across.kink": "Die Wirkung von {fact} und {foil} aufeinander ist nicht definiert (ein Knick).",
    "kink": "{who} ({below} von unten, {above} von oben)",
    "kinks": "Keine eindeutige Steigung gibt es für {names}: Der Abstand hat dort einen Knick.",
    "more.one": "{count} weiteres",
    "more.many": "{count} weitere",
    "method.own": "{method}",
    "measured": "Methode: {title}; Semantik: {semantics}.",
    "measured.what": "Methode: {title}; Semantik: {semantics}; gemessen wird: {measures}.",
    "measured.combined": "Methode: {title}; Semantik: {semantics}; die Wirkungen auf die beiden Themen "
    "sind durch eine eigene Funktion verknüpft, daher ist über den Abstand nichts zugesichert.",
    "promises": "Was die Methode zusichert: {promises}.",
    "promises.kinks": "Was die Methode zusichert: {promises}, sofern die Steigung definiert ist.",
    # what the gap is made of
    "account": "Abstand {gap}, Basiswerte {base}.",
    "account.sum": "Abstand {gap} = Basiswerte {base}, Beiträge {total}, Wirkung der beiden Themen aufeinander "
    "{across}.",
    "account.slope": "Steigungen sind keine Anteile am Abstand und ergeben zusammen nicht den Abstand{kinks}.",
    "account.kinks.one": "; an {count} Knick sind sie nicht definiert",
    "account.kinks.many": "; an {count} Knicken sind sie nicht definiert",
    "account.other": "Diese Zahlen sind keine Anteile am Abstand: Sie müssen zusammen nicht den Abstand ergeben.",
    # what would make the foil win
    "flip.question": "Was müsste sich ändern, damit {foil} vor {fact} läge?",
    "flip.heading": "Was müsste sich ändern, damit {foil} vorn läge?",
    "flip.already": "{foil} liegt schon um {gap} vor {fact}; es muss sich nichts ändern.",
    "flip.change": "{foil} läge vorn, wenn {moves}{cost}.",
    "flip.rise": "der Basiswert von {who} von {old} auf {new} stiege",
    "flip.fall": "der Basiswert von {who} von {old} auf {new} fiele",
    "flip.and rise": "der von {who} von {old} auf {new} stiege",
    "flip.and fall": "der von {who} von {old} auf {new} fiele",
    "flip.more.one": "sich {count} weiterer um weniger änderte",
    "flip.more.many": "sich {count} weitere um weniger änderten",
    "flip.cost.l1": " (insgesamt {cost})",
    "flip.cost.l2": " (euklidische Länge {cost})",
    "flip.fixed": "Alle Argumente, die auf {fact} und {foil} wirken, behalten ihren Basiswert; es lässt sich keiner "
    "ändern.",
    "flip.no change": "Es wurde keine Änderung der Basiswerte gefunden, durch die {foil} vor {fact} läge; {best}.",
    "flip.best.tie": "das Beste, was gefunden wurde, ist ein Gleichstand",
    "flip.best.gap": "der kleinste gefundene Abstand ist {gap}",
    "flip.removal": "{foil} läge vorn ohne {names}{smaller}.",
    "flip.removal.also": "Auch ohne {names} wäre das so{smaller}.",
    "flip.smaller.proved": "; keine kleinere Menge genügt",
    "flip.smaller.some.one": "; kein einzelnes Argument genügt, und größere Mengen wurden nicht alle geprüft",
    "flip.smaller.some.many": "; bis zu {count} Argumente genügen nicht, und größere Mengen wurden nicht alle geprüft",
    "flip.smaller.none": "; kleinere Mengen wurden nicht alle geprüft",
    "flip.nothing to remove": "Es gibt kein Argument, das wegfallen könnte.",
    "flip.level": "Der Wegfall von Argumenten führt bestenfalls zum Gleichstand.",
    "flip.stays": "Der Wegfall von Argumenten genügt nicht; der Abstand bleibt mindestens {gap}.",
    "flip.no removal": "Es wurde keine Menge von Argumenten gefunden, deren Wegfall genügt{searched}; {best}.",
    "flip.no removal.one": "Es genügt nicht, dass ein einzelnes Argument wegfällt{searched}; {best}.",
    "flip.no removal.many": "Es genügt nicht, dass bis zu {count} Argumente wegfallen{searched}; {best}.",
    "flip.searched": "; Mengen wurden schrittweise durchsucht, ohne Erfolg",
    "flip.searched.larger": "; größere Mengen wurden schrittweise durchsucht, ohne Erfolg",
    "flip.stopped": "Die Suche nach {what} wurde durch ihr Zeitlimit beendet; es kann bessere Antworten geben.",
    "flip.stopped.limit": "Die Suche nach {what} wurde durch ihr Zeitlimit von {seconds} s beendet; es kann bessere "
    "Antworten geben.",
    "flip.what.change": "Änderungen",
    "flip.what.removal": "wegfallenden Argumenten",
    "flip.table": "Argument|Basiswert|müsste sein",
    # pairs of players
    "pairs.topic": "{fact} hat die Stärke {own}",
    "pairs.together": "; für {topic} wirken {pair} zusammen ({value})",
    "pairs.lower": "; gegen {topic} wirken {pair} zusammen ({value})",
    "pairs.overlap": "; {pair} überschneiden sich ({value})",
    "pairs.none": "; keine zwei wirken nennenswert zusammen oder überschneiden sich",
    # how sure an order is
    "sure.question": "Wie sicher ist es, dass {fact} vor {foil} liegt?",
    "sure.heading": "Wie sicher ist das?",
    "sure.ahead": "{first} liegt in {part} der Fälle vor {second}",
    "sure.all": "{first} liegt in allen {number} gezogenen Fällen vor {second}",
    "sure.tied": "; in {part} der Fälle liegen beide gleichauf",
    "sure.undefined": "; in {part} der Fälle sind die Stärken nicht definiert",
    "sure.doubt": "{share} des Zweifels",
    "sure.doubt.all": "fast der ganze Zweifel",
    "sure.spread": "{share} der Streuung des Abstands",
    "sure.spread.all": "fast die ganze Streuung des Abstands",
    "sure.source": "; {what} kommt von {who}",
    "sure.source.more": ", {share} von {who}",
    "sure.part.half": "die Hälfte",
    "sure.part.third": "ein Drittel",
    "sure.part.two thirds": "zwei Drittel",
    "sure.part.quarter": "ein Viertel",
    "sure.part.three quarters": "drei Viertel",
    "sure.percent": "{number} %",
    "sure.percent.most": "mehr als 99 %",
    "sure.percent.least": "weniger als 1 %",
    "sure.end": ".",
    "sure.next": " Als Nächstes zu prüfen: {who}.",
    "sure.next.risk": " Als Nächstes zu prüfen: {who}; das Risiko der falschen Reihenfolge fiele im Mittel von {now} "
    "auf {then}.",
    "sure.made.one": "{count} Fall, Standardfehler {error} %, Startwert {seed}{quick}",
    "sure.made.many": "{count} Fälle, Standardfehler {error} %, Startwert {seed}{quick}",
    "sure.made.beside": "; nach der Delta-Methode {part}",
    "sure.made.delta": "nach der Delta-Methode, ohne Ziehungen",
    "sure.table": "Argument|Basiswert|Anteil am Zweifel|Gesamtanteil|Weniger Risiko, wenn bekannt",
    # rankings and pairs
    "rank.place": "{place}. {topic} {strength}",
    "rank.table": "|Thema|Stärke|warum vor dem nächsten",
    "tie": "gleich",
    # bars
    "bars.title": "Warum {fact} und nicht {foil}: {what}, nach {method}",
    "bars.across": "Wirkung der beiden Themen aufeinander",
    "bars.base": "Basiswerte der beiden Themen",
    "bars.kink": "Knick",
    "bars.sides": "Knick: {below} | {above}",
    "bars.alone": "{row} (auf das Hauptthema allein {fact}, auf das Gegenthema allein {foil})",
    "bars.rest.one": "{count} weiteres, höchstens {most}",
    "bars.rest.many": "{count} weitere, jeweils höchstens {most}",
    "bars.rest.nothing.one": "{count} weiteres trägt nichts bei",
    "bars.rest.nothing.many": "{count} weitere tragen nichts bei",
    "bars.none": "Es gibt kein anderes Argument.",
    "bars.none.edges": "Es gibt keine Kante.",
    "bars.none.groups": "Es gibt keine Gruppe und kein anderes Argument.",
    "bars.sum": "Die Balken ergeben zusammen den Abstand von {gap}.",
    "bars.legend": "Balken: {what}. Dünne Balken: dasselbe für jedes Thema allein; oben das Hauptthema, unten "
    "das Gegenthema.",
    "bars.sampled": "Stichprobe: ± ein Standardfehler; die Striche reichen zwei Standardfehler weit.",
    "bars.hollow": "Knick: Hier gibt es keine Steigung; hohle Balken zeigen die Steigung von unten (oberer) und von "
    "oben (unterer).",
    "bars.on fact": "Hauptthema",
    "bars.on foil": "Gegenthema",
    "value": "Beitrag",
    "value.combined": "Beitrag, verknüpft",
    "whole.gap": "am Abstand",
    "whole.strength": "an der Stärke",
    "of.gap": "des Abstands",
    "of.strength": "der Stärke",
    # the picture of a graph
    "size.arguments.one": "{count} Argument",
    "size.arguments.many": "{count} Argumente",
    "size.attacks.one": "{count} Angriff",
    "size.attacks.many": "{count} Angriffe",
    "size.supports.one": "{count} Unterstützung",
    "size.supports.many": "{count} Unterstützungen",
    "graph.attack": "Angriffe",
    "graph.support": "Unterstützungen",
    "graph.attacks": "{source} greift {target} an",
    "graph.supports": "{source} unterstützt {target}",
    "graph.attacks.both": "{source} und {target} greifen einander an",
    "graph.supports.both": "{source} und {target} unterstützen einander",
    "graph.weight": ", Gewicht {weight}",
    "graph.fact": "Hauptthema",
    "graph.foil": "Gegenthema",
    "graph.role.fact": "{label}, das Hauptthema",
    "graph.role.foil": "{label}, das Gegenthema",
    "graph.role.topic": "{label}, ein Thema",
    "graph.node.base": "{node}: Basiswert {base}",
    "graph.node": "{node}: Basiswert {base}, Stärke {strength}",
    "graph.legend.base": "Basiswert",
    "graph.legend": "Basiswert → Stärke (Balken: Stärke, Kerbe: Basiswert)",
    "graph.legend.edges": "Dicke: wie viel die Kante beiträgt; Farbe: das Thema, für das sie spricht",
    "graph.hidden.one": "{count} weiteres Argument wird nicht gezeigt",
    "graph.hidden.many": "{count} weitere Argumente werden nicht gezeigt",
    # the report
    "report.kind": "Kontrastive Erklärung",
    "report.graph": "Der Graph",
    "report.difference": "Was den Unterschied ausmacht",
    "report.dependence": "Wovon der Abstand abhängt",
    "report.numbers": "In Zahlen",
    "report.pairs": "Alle Paare",
    "report.method": "Wie dies entstand",
    "report.table": "Argument|Basiswert|Stärke",
    "report.table.edges": "Quelle|Beziehung|Ziel",
    "report.table.groups": "Gruppe oder Argument|Mitglieder",
    "report.relation.attack": "Angriff",
    "report.relation.support": "Unterstützung",
    "report.through.attack": "Angriff auf {target}",
    "report.through.support": "Unterstützung von {target}",
    "report.through.weight": "{relation}, Gewicht {weight}",
    "report.opened": "Über welche Kanten",
    "report.opened.table": "Argument und die Kanten, über die es wirkt",
    "report.opened.note": "Die Kanten eines Arguments ergeben zusammen seinen Anteil.",
    "report.opened.small.one": "{count} Kante unter {least} wird nicht gezeigt.",
    "report.opened.small.many": "{count} Kanten unter {least} werden nicht gezeigt.",
    "report.on": "auf {topic}",
    "report.rest.one": "{count} weiteres Argument trägt weniger bei.",
    "report.rest.many": "{count} weitere Argumente tragen weniger bei.",
    "report.rest.edges.one": "{count} weitere Kante trägt weniger bei.",
    "report.rest.edges.many": "{count} weitere Kanten tragen weniger bei.",
    "report.rest.groups.one": "{count} weitere Gruppe oder weiteres Argument trägt weniger bei.",
    "report.rest.groups.many": "{count} weitere Gruppen und Argumente tragen weniger bei.",
    "report.corner": "Abstand der Zeile zur Spalte",
    "made.method": "Methode",
    "made.players": "Wer beiträgt",
    "made.players.edges": "Kanten",
    "made.players.direct": "Kanten in die beiden Themen; alles andere bleibt, wie es ist",
    "made.players.groups": "Gruppen von Argumenten und jedes Argument, das in keiner Gruppe ist",
    "made.measures": "Gemessen wird",
    "made.promises": "Zusicherung",
    "made.way": "Berechnet durch",
    "made.evaluations.one": "eine Auswertung",
    "made.evaluations.many": "{count} Auswertungen",
    "made.semantics": "Semantik",
    "made.strengths": "Stärken",
    "made.solver.one": "{solver}, {count} Schritt, Residuum {residual}",
    "made.solver.many": "{solver}, {count} Schritte, Residuum {residual}",
    "made.left": "Rest des Abstands",
    "made.residual": "{residual} (Abstand − Abstand der Basiswerte − Beiträge − Wirkung der Themen aufeinander)",
    "made.rounding": "0, bis auf Rundung",
    "made.error": "Stichprobenfehler",
    "made.at most": "höchstens {error}",
    "made.graph": "Graph",
    "made.hash": "SHA-256 des Graphen",
    "made.with": "Erstellt mit",
    "made.date": "Datum",
}

TEXTS: dict[str, str] = {
    # METHODS: what each measures, promises, is called, and what one of its numbers is
    "the average of what an argument adds, over all coalitions of the others; exact": "der Durchschnitt dessen, was "
    "ein Argument hinzufügt, über alle Koalitionen der anderen; exakt",
    "base scores, contributions and the effect of the topics on each other add up to the gap "
    "(cross-topic-adjusted efficiency)": "Basiswerte, Beiträge und die Wirkung der Themen aufeinander ergeben zusammen "
    "den Abstand (um die Wirkung der Themen bereinigte Effizienz)",
    "Shapley values": "Shapley-Werte",
    "share of {whole}": "Anteil {whole}",
    "what changes when an argument is removed": "was sich ändert, wenn ein Argument wegfällt",
    "removing an argument moves the gap against the sign of its contribution (counterfactuality)": "Der Wegfall eines "
    "Arguments bewegt den Abstand gegen das Vorzeichen seines Beitrags (Kontrafaktizität)",
    "removing each argument in turn": "Wegfall jedes einzelnen Arguments",
    "loss of {whole} when the argument is removed": "Abnahme {of} beim Wegfall des Arguments",
    "the slope of strength in an argument's base score; exact": "die Steigung der Stärke nach dem Basiswert eines "
    "Arguments; exakt",
    "a small change of the base score moves the gap with the sign of the contribution (local faithfulness)": "Eine "
    "kleine Änderung des Basiswerts bewegt den Abstand mit dem Vorzeichen des Beitrags (lokale Treue)",
    "slopes (gradients)": "Steigungen (Gradienten)",
    "slope of {whole} per unit of base score": "Steigung {of} je Einheit des Basiswerts",
    "the Shapley value, estimated from random coalitions, with standard errors": "der Shapley-Wert, aus zufälligen "
    "Koalitionen geschätzt, mit Standardfehlern",
    "base scores, contributions and the effect of the topics on each other add up to the gap; each contribution "
    "is good to its standard error": "Basiswerte, Beiträge und die Wirkung der Themen aufeinander ergeben zusammen den "
    "Abstand; jeder Beitrag ist bis auf seinen Standardfehler genau",
    "sampled Shapley values": "aus Stichproben geschätzte Shapley-Werte",
    "share of {whole}, estimated": "Anteil {whole}, geschätzt",
    "what changes when an argument is removed whose own parents were cut off first": "was sich ändert, wenn ein "
    "Argument wegfällt, das zuvor von seinen Eltern getrennt wurde",
    "nothing about the gap: it tells what an argument gives of its own": "nichts über den Abstand; die Methode "
    "zeigt, was ein Argument aus sich selbst beiträgt",
    "removing each argument in turn, after cutting it off from its parents": "Wegfall jedes einzelnen Arguments "
    "nach Trennung von seinen Eltern",
    "loss of {whole} when the argument, cut off from its parents, is removed": "Abnahme {of} beim Wegfall des von "
    "seinen Eltern getrennten Arguments",
    "The strongest reasons": "Die stärksten Gründe",
    "The arguments whose removal would change the gap most, with the part of it that would be lost": "Die Argumente, "
    "deren Wegfall den Abstand am stärksten ändern würde, mit dem Teil, der verloren ginge",
    "The arguments to whose base scores the gap is most sensitive, with its slope per unit of base score": "Die "
    "Argumente, auf deren Basiswerte der Abstand am empfindlichsten reagiert, mit seiner Steigung je Einheit des "
    "Basiswerts",
    "The arguments whose removal would change the gap most after their own parents are cut off, with the part of it "
    "that would be lost": "Die Argumente, deren Wegfall den Abstand nach Trennung von ihren Eltern am stärksten "
    "ändern würde, mit dem Teil, der verloren ginge",
    "in slopes per unit of base score": "als Steigung je Einheit des Basiswerts",
    "each first cut off from its own parents": "jeweils zuvor von den eigenen Eltern getrennt",
    "per unit of base score": "je Einheit des Basiswerts",
    "measured by removal": "gemessen durch Wegfall",
    "Owen values": "Owen-Werte",
    "the Shapley value of each union, divided among its members: the edges of one source, or a group": "der "
    "Shapley-Wert jeder Vereinigung, unter ihren Mitgliedern aufgeteilt: den Kanten aus einer Quelle oder einer Gruppe",
    "base scores, contributions and the effect of the topics on each other add up to the gap; members of a union add "
    "up to what the union contributes as one player": "Basiswerte, Beiträge und die Wirkung der Themen aufeinander "
    "ergeben zusammen den Abstand; die Mitglieder einer Vereinigung ergeben zusammen, was diese als ein Spieler "
    "beiträgt",
    # the same about edges and groups
    "the average of what an edge adds, over all coalitions of the others; exact": "der Durchschnitt dessen, was "
    "eine Kante hinzufügt, über alle Koalitionen der anderen; exakt",
    "base scores and the contributions of the edges add up to the gap (efficiency)": "Basiswerte und Beiträge der "
    "Kanten ergeben zusammen den Abstand (Effizienz)",
    "the average of what a group adds as one player, over all coalitions of the others; exact": "der Durchschnitt "
    "dessen, was eine Gruppe als ein Spieler hinzufügt, über alle Koalitionen der anderen; exakt",
    "removing each edge in turn": "Wegfall jeder einzelnen Kante",
    "what changes when an edge is removed": "was sich ändert, wenn eine Kante wegfällt",
    "removing an edge moves the gap against the sign of its contribution (counterfactuality)": "Der Wegfall einer "
    "Kante bewegt den Abstand gegen das Vorzeichen ihres Beitrags (Kontrafaktizität)",
    "loss of {whole} when the edge is removed": "Abnahme {of} beim Wegfall der Kante",
    "The edges whose removal would change the gap most, with the part of it that would be lost": "Die Kanten, "
    "deren Wegfall den Abstand am stärksten ändern würde, mit dem Teil, der verloren ginge",
    "removing each group in turn": "Wegfall jeder einzelnen Gruppe",
    "what changes when a group is removed as a whole": "was sich ändert, wenn eine Gruppe als Ganzes wegfällt",
    "removing a group moves the gap against the sign of its contribution (counterfactuality)": "Der Wegfall einer "
    "Gruppe bewegt den Abstand gegen das Vorzeichen ihres Beitrags (Kontrafaktizität)",
    "loss of {whole} when the group is removed": "Abnahme {of} beim Wegfall der Gruppe",
    "The groups whose removal would change the gap most, with the part of it that would be lost": "Die Gruppen, "
    "deren Wegfall den Abstand am stärksten ändern würde, mit dem Teil, der verloren ginge",
    "the slope of strength in an edge's weight; exact": "die Steigung der Stärke nach dem Gewicht einer Kante; exakt",
    "a small change of the weight moves the gap with the sign of the contribution (local faithfulness)": "Eine "
    "kleine Änderung des Gewichts bewegt den Abstand mit dem Vorzeichen des Beitrags (lokale Treue)",
    "slope of {whole} per unit of weight": "Steigung {of} je Einheit des Gewichts",
    "The edges to whose weights the gap is most sensitive, with its slope per unit of weight": "Die Kanten, auf "
    "deren Gewichte der Abstand am empfindlichsten reagiert, mit seiner Steigung je Einheit des Gewichts",
    "per unit of weight": "je Einheit des Gewichts",
    "in slopes per unit of weight": "als Steigung je Einheit des Gewichts",
    "the slope of strength when the base scores of a group move together; exact": "die Steigung der Stärke, wenn "
    "sich die Basiswerte einer Gruppe gemeinsam ändern; exakt",
    "a small common change of the base scores of a group moves the gap with the sign of its contribution (local "
    "faithfulness)": "Eine kleine gemeinsame Änderung der Basiswerte einer Gruppe bewegt den Abstand mit dem "
    "Vorzeichen ihres Beitrags (lokale Treue)",
    "slope of {whole} when the base scores of the group move together": "Steigung {of}, wenn sich die Basiswerte "
    "der Gruppe gemeinsam ändern",
    "The groups to whose base scores the gap is most sensitive, with its slope when they move together": "Die "
    "Gruppen, auf deren Basiswerte der Abstand am empfindlichsten reagiert, mit seiner Steigung bei gemeinsamer "
    "Änderung",
    "base scores and the contributions of the edges add up to the gap; each contribution is good to its "
    "standard error": "Basiswerte und Beiträge der Kanten ergeben zusammen den Abstand; jeder Beitrag ist bis auf "
    "seinen Standardfehler genau",
    "removing each group in turn, after cutting it off from its parents": "Wegfall jeder einzelnen Gruppe nach "
    "Trennung von ihren Eltern",
    "what changes when a group is removed whose parents outside were cut off first": "was sich ändert, wenn eine "
    "Gruppe wegfällt, die zuvor von ihren Eltern außerhalb getrennt wurde",
    "nothing about the gap: it tells what a group gives of its own": "nichts über den Abstand; die Methode zeigt, "
    "was eine Gruppe aus sich selbst beiträgt",
    "loss of {whole} when the group, cut off from its parents, is removed": "Abnahme {of} beim Wegfall der von "
    "ihren Eltern getrennten Gruppe",
    "The groups whose removal would change the gap most after their parents outside are cut off, with the part "
    "of it that would be lost": "Die Gruppen, deren Wegfall den Abstand nach Trennung von ihren Eltern außerhalb "
    "am stärksten ändern würde, mit dem Teil, der verloren ginge",
    "removing an edge moves the gap against the sign of its contribution, as long as all else stays as it is": "Der "
    "Wegfall einer Kante bewegt den Abstand gegen das Vorzeichen ihres Beitrags, solange alles andere bleibt, wie es "
    "ist",
    "a small change of the weight moves the gap with the sign of the contribution, as long as all else stays as it "
    "is": "Eine kleine Änderung des Gewichts bewegt den Abstand mit dem Vorzeichen des Beitrags, solange alles andere "
    "bleibt, wie es ist",
    # solvers
    "one pass": "ein Durchgang",
    "discrete": "diskret",
    "continuous": "kontinuierlich",
}
