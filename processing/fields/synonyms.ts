import type { OutputField } from '../../domain/workflow.ts';
import { fieldTypes } from '../../fieldTypes/all.ts';
import { spelled, withoutAccents, wordsIn } from './words.ts';

/** Captions with the same meaning, in English, German, French, Spanish and Malay; a group a line. */
const GROUPS = `
company|company name|merchant|merchant name|vendor|vendor name|supplier|supplier name|seller|store|store name|shop|retailer|outlet|restaurant|business name|sold by|issued by|issuer|payee|firma|firmenname|lieferant|verkäufer|händler|aussteller|société|fournisseur|vendeur|magasin|commerçant|raison sociale|empresa|proveedor|vendedor|emisor|razón social|pembekal|penjual|syarikat|nama syarikat
customer|customer name|client|client name|buyer|purchaser|kunde|kundenname|auftraggeber|käufer|client|acheteur|nom du client|cliente|nombre del cliente|comprador|pelanggan|nama pelanggan|bill to|billed to|invoice to|sold to|rechnung an|facturé à|facturar a|facturado a|kepada|dibilkan kepada
employee|employee name|name of employee|claimant|staff name|mitarbeiter|name des mitarbeiters|arbeitnehmer|employé|salarié|nom du salarié
employer|employer name|arbeitgeber|employeur|empleador|majikan|nama majikan
guest|guest name|name of guest|gast|name des gastes|voyageur
cashier|served by|operator|your cashier|kassierer|kassiererin|bedient von|es bediente sie|caissier|servi par
approved by|approver|authorised by|authorized by|genehmigt von|freigegeben von|approuvé par|validé par
department|dept|abteilung|service|département
purpose|purpose of travel|purpose of trip|reason|zweck|reisezweck|motif|objet du déplacement
project|project name|projekt|projet
bank|bank name|name of bank|kreditinstitut|banque|banco|nama bank
carrier|shipped via|shipped by|haulier|courier|spediteur|spedition|frachtführer|transporteur
payment method|method of payment|paid by|payment type|zahlungsart|zahlungsmittel|mode de paiement|moyen de paiement
currency|währung|devise
date|dated|date of issue|issue date|issued|issued on|date issued|transaction date|document date|receipt date|purchase date|sale date|datum|belegdatum|ausstellungsdatum|date d'émission|émis le|le|tarikh|fecha|tarikh dokumen|fecha de emisión|tarikh dikeluarkan
invoice date|date of invoice|bill date|billing date|date of bill|rechnungsdatum|datum der rechnung|date de facture|date de la facture|date facture|invoice dated|fecha de factura|fecha factura|tarikh invois
due date|payment due|payment due date|due on|due by|pay by|payable by|date due|fällig am|fälligkeit|fälligkeitsdatum|zahlbar bis|zahlungsziel|date d'échéance|échéance|à payer avant le|date limite de paiement|fecha de vencimiento|vencimiento|pagar antes del|tarikh akhir bayaran|tarikh akhir|tarikh matang|bayar sebelum|échéance le
delivery date|date of delivery|delivered on|delivered|lieferdatum|liefertag|geliefert am|date de livraison|livré le|fecha de entrega|tarikh penghantaran
order date|date of order|ordered on|bestelldatum|auftragsdatum|date de commande|commandé le|fecha de pedido|tarikh pesanan
check in|check in date|arrival|arrival date|date of arrival|anreise|anreisetag|ankunft|arrivée|date d'arrivée
check out|check out date|departure|departure date|date of departure|abreise|abreisetag|départ|date de départ
invoice number|invoice no|invoice id|invoice nr|inv no|bill number|bill no|rechnungsnummer|rechnungsnr|rechnung nr|rechnungs nr|rechnung nummer|re nr|numéro de facture|facture no|no de facture|no facture|facture numéro|original invoice|original invoice no|zu rechnung nr|zur rechnung|facture n|número de factura|factura no|factura n|factura núm|no de factura|no invois|nombor invois|invois no
receipt number|receipt no|rcpt no|receipt id|belegnummer|beleg nr|belegnr|bon nr|bonnummer|ticket no|numéro de ticket|no de ticket|no de reçu|reçu no|número de recibo|recibo no|no resit|nombor resit
order number|order no|order id|auftragsnummer|auftrag nr|auftrags nr|bestellnummer|bestellung nr|bestell nr|numéro de commande|commande no|no de commande|no commande|pedido no|pedido n|número de pedido|no pesanan|nombor pesanan|commande n
purchase order|purchase order number|purchase order no|po number|po no|p o no|p o number|bestellnummer|bestellung nr|ihre bestellung|bon de commande|no de commande|bon de commande no
delivery note number|delivery note no|delivery number|delivery no|dn no|lieferscheinnummer|lieferschein nr|lieferschein no|bon de livraison no|numéro de livraison|no de livraison
credit note number|credit note no|credit number|credit no|gutschriftsnummer|gutschrift nr|gutschriftnummer|numéro d'avoir|avoir no|no d'avoir|credit memo number|credit memo no|avoir n|nota de crédito no|nota de crédito n|número de nota de crédito|no nota kredit|nombor nota kredit
account number|account no|a c no|acct no|acc no|kontonummer|konto nr|numéro de compte|compte no|no de compte|número de cuenta|cuenta no|no de cuenta|no akaun|nombor akaun|iban
customer number|customer no|customer id|client number|client no|kundennummer|kunden nr|kundennr|numéro client|no client|numéro de client|número de cliente|no pelanggan
policy number|policy no|policennummer|police nr|versicherungsnummer|versicherungsschein nr|numéro de police|police no|no de police
vat number|vat no|vat id|vat reg no|vat registration number|vat registration no|ust id nr|ust id|ustid|umsatzsteuer id|no tva|numéro de tva|tva intracommunautaire|tva no
reference|reference number|reference no|ref|ref no|our reference|your reference|our ref|your ref|referenz|unser zeichen|ihr zeichen|aktenzeichen|référence|notre référence|votre référence|nuestra referencia|su referencia|referencia|rujukan|rujukan kami|rujukan tuan
subtotal|sub total|net amount|net total|amount before tax|total before tax|total excl vat|total excluding vat|zwischensumme|nettobetrag|nettosumme|netto|summe netto|sous total|total ht|montant ht|nettobetrag gesamt|base imponible|importe neto|jumlah kecil|jumlah sebelum cukai
tax|vat|gst|sst|sales tax|tax amount|vat amount|amount of vat|mwst|ust|umsatzsteuer|mehrwertsteuer|steuer|tva|montant tva|montant de la tva|iva|importe iva|cuota iva|cukai|cukai sst|jumlah cukai
total|grand total|total amount|total payable|total due|total to pay|total amount due|amount total|gesamtbetrag|gesamtsumme|gesamt|summe|endbetrag|endsumme|rechnungsbetrag|total ttc|montant total|montant total ttc|total à payer|net à payer|jumlah|jumlah besar|total factura|importe total|total a pagar|jumlah keseluruhan|jumlah perlu dibayar
amount due|balance due|outstanding|outstanding amount|outstanding balance|amount outstanding|amount payable|amount to pay|balance to pay|zahlbetrag|offener betrag|zu zahlen|noch zu zahlen|restbetrag|reste à payer|solde dû|solde à payer|importe pendiente|saldo pendiente|pendiente de pago|baki perlu dibayar|baki tertunggak
amount paid|paid|payment received|payments received|total paid|bezahlt|gezahlter betrag|bereits bezahlt|montant payé|payé|déjà payé|montant réglé|pagado|importe pagado|telah dibayar|jumlah dibayar
opening balance|balance brought forward|previous balance|starting balance|anfangssaldo|alter saldo|solde initial|ancien solde|saldo anterior|saldo inicial|baki awal|baki permulaan
closing balance|new balance|ending balance|balance carried forward|endsaldo|neuer saldo|solde final|nouveau solde|saldo final|nuevo saldo|baki akhir|baki penutup
tip|gratuity|trinkgeld|pourboire
net pay|take home pay|net salary|net wages|nettolohn|nettogehalt|auszahlungsbetrag|net payé|salaire net
premium|annual premium|total premium|prämie|jahresbeitrag|beitrag|prime|cotisation
hours|total hours|hours worked|stunden|arbeitsstunden|heures|heures travaillées
nights|number of nights|no of nights|nächte|anzahl nächte|übernachtungen|nuits|nombre de nuits
pieces|number of pieces|no of pieces|parcels|number of parcels|anzahl|stückzahl|pièces|nombre de colis|nombre de pièces
quantity|qty|menge|anzahl|quantité|qté|cantidad|cant|kuantiti
address|store address|company address|business address|adresse|anschrift|alamat|dirección|domicilio
phone|tel|telephone|phone number|telephone number|tel no|phone no|telefon|telefonnummer|téléphone|tél|teléfono|nombor telefon|no telefon
email|e mail|email address|e mail address|courriel|correo electrónico|e mel|emel
notes|note|remarks|comments|bemerkung|bemerkungen|remarques
discount|rabatt|nachlass|remise|descuento|diskaun
deposit|less deposit|advance|anzahlung|acompte
shipping|delivery charge|carriage|freight|versand|versandkosten|frais de port
cash|tendered|bar|espèces
change|rückgeld|rendu
bill to|billed to|invoice to|sold to|ship to|shipped to|deliver to|rechnung an|lieferung an|facturé à|livré à
account holder|account name|name of account holder|kontoinhaber|kontoinhaberin|titulaire du compte|titulaire|titular|titular de la cuenta|pemegang akaun
statement date|date of statement|auszugsdatum|date du relevé|fecha del extracto|tarikh penyata
full name|name|your name|name of applicant|applicant|vollständiger name|vor und nachname|nom complet|nom et prénom|nombre completo|nombre y apellidos|nama penuh
surname|family name|last name|surnames|nachname|familienname|nom|nom de famille|apellido|apellidos|nama keluarga
given names|given name|first name|first names|forename|forenames|vorname|vornamen|prénom|prénoms|nombre|nombres|nama diberi
date of birth|birth date|born|born on|dob|geburtsdatum|geburtstag|geboren am|date de naissance|né le|née le|fecha de nacimiento|tarikh lahir
place of birth|geburtsort|lieu de naissance|lugar de nacimiento|tempat lahir
nationality|citizenship|staatsangehörigkeit|nationalität|nationalité|nacionalidad|warganegara|kewarganegaraan
sex|gender|geschlecht|sexe|sexo|jantina
date of expiry|expiry date|expiry|expires|expires on|expiration date|valid until|valid to|gültig bis|ablaufdatum|date d'expiration|expire le|valable jusqu'au|fecha de caducidad|válido hasta|tarikh luput|sah sehingga
document number|document no|card number|card no|passport number|passport no|ausweisnummer|dokumentennummer|document n|numéro de document|no de document|número de documento|no dokumen
date signed|signed on|signature date|date of signature|unterschrieben am|unterzeichnet am|signé le|date de signature|firmado el|fecha de firma|tarikh ditandatangani
subject|regarding|re|betreff|betrifft|objet|asunto|perkara
terms|payment terms|zahlungsbedingungen|conditions de paiement
`
  .trim()
  .split('\n')
  .map((group) => group.split('|').map((phrase) => wordsIn(withoutAccents(phrase)).join(' ')));

const CAPTIONS = new Set(GROUPS.flat());

/** The words of a caption as one text, as labels are compared. */
export const captionText = (text: string): string => wordsIn(withoutAccents(spelled(text))).join(' ');

/** Whether a text, in the form of `captionText`, is a usual caption in documents. */
export const isUsualCaption = (text: string): boolean => CAPTIONS.has(text);

/** Whether a text starts with a usual caption of one to four words. */
export const startsWithCaption = (text: string): boolean => {
  const words = captionText(text.slice(0, MAX_LENGTH)).split(' ');
  return [1, 2, 3, 4].some((count) => count <= words.length && CAPTIONS.has(words.slice(0, count).join(' ')));
};

const MAX_LENGTH = 100;

type Named = Pick<OutputField, 'name' | 'label'>;

/** The other usual captions of a field whose label, else whose name, is a usual one; none for others. */
export const synonymsOf = ({ name, label }: Named): readonly string[] => {
  const [byLabel = [], byName = []] = [label ?? '', name].map(captionText).map(captionsLike);
  return byLabel.length > 0 ? byLabel : byName;
};

const captionsLike = (text: string): readonly string[] => [
  ...new Set(GROUPS.filter((group) => group.includes(text)).flat()),
];

/** The words of a field's label and of its name, as captions are compared; those without any are left out. */
export const ownPhrases = ({ name, label }: Named): readonly string[] =>
  [captionText(label ?? ''), wordsIn(name).join(' ')].filter((phrase) => phrase !== '');

/** A field's label, its name in words, and usual short forms of both; longest first. */
export const phrasesOf = (field: Named): readonly string[] => {
  const own = ownPhrases(field);
  const length = (phrase: string): number => phrase.split(' ').length;
  return [...new Set([...own, ...own.flatMap(variants)])].sort((a, b) => length(b) - length(a));
};

/** Labels without the word for the kind of value: an invoice number is also in "Invoice: 17". */
export const shortPhrasesOf = (field: OutputField): readonly string[] =>
  ownPhrases(field).flatMap((phrase) => {
    const [, start, kind = ''] = /^(.+) (\S+)$/.exec(phrase) ?? [];
    return start !== undefined && fieldTypes[field.type].kinds.includes(kind) ? variants(start) : [];
  });

/** A map: a field may be called as what every object inherits. */
const SHORT_FORMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['number', ['no', 'nr', 'num', 'id', 'number']],
  ['no', ['no', 'nr', 'number', 'id']],
  ['id', ['id', 'no', 'number']],
  ['invoice', ['invoice', 'inv', 'bill', 'doc', 'document']],
  ['document', ['document', 'doc']],
  ['receipt', ['receipt', 'rcpt', 'doc', 'document', 'bill']],
  ['subtotal', ['subtotal', 'sub total']],
  ['tax', ['tax', 'gst', 'vat', 'sst']],
  ['vat', ['vat', 'gst', 'tax']],
  ['quantity', ['quantity', 'qty']],
  ['telephone', ['telephone', 'tel', 'phone']],
  ['phone', ['phone', 'tel', 'telephone']],
]);

const MAX_VARIANTS = 40;

const variants = (phrase: string): readonly string[] =>
  phrase
    .split(' ')
    .map((word) => SHORT_FORMS.get(word) ?? [word])
    .reduce((starts, forms) =>
      starts.flatMap((start) => forms.map((form) => `${start} ${form}`)).slice(0, MAX_VARIANTS),
    );
